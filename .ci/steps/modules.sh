go mod tidy -diff
go mod verify
