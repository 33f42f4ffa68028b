# Each system is tried, also when an earlier one failed. Vet compiles the tests too.
targets="linux/arm64 darwin/arm64 windows/amd64"
red=0
for target in $targets; do
	echo "-- $target"
	GOOS=${target%/*} GOARCH=${target#*/} CGO_ENABLED=0 go build ./... || red=1
	GOOS=${target%/*} GOARCH=${target#*/} CGO_ENABLED=0 go vet ./... || red=1
done
echo "$targets" >"$OUT/notes"
exit $red
