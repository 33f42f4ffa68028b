# The version is exact, and go.mod knows nothing of it.
version=v0.8.2
go run "honnef.co/go/tools/cmd/staticcheck@$version" ./...
echo "staticcheck $version" >"$OUT/notes"
