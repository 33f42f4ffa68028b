package common // want "folder common has no layer"
