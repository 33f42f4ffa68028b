package tree

import _ "satingrid/satin" // want "apps/uts/tree may not import satingrid/satin"
