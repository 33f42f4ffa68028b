package purity // want "build constraint"
