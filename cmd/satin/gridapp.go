package main

import "satingrid/satin"

// gridVersion changes when a task comes to mean something else under the same name and shape.
const gridVersion = "1"

// gridApp holds the tasks of all applications, so that a node serves any of them.
func gridApp() satin.App {
	app := satin.App{Name: "satin", Version: gridVersion}
	for _, a := range applications() {
		app.Tasks = append(app.Tasks, a.App.Tasks...)
	}
	return app
}
