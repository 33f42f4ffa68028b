package gridsim
var dbg *World
