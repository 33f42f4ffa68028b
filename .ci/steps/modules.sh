# go.mod and go.sum name what the code needs and nothing else, and the modules are what go.sum says.
if ! go mod tidy -diff >"$OUT/diff"; then
	lines="$(grep -c '^[-+][^-+]' "$OUT/diff" || true)"
	head -n 30 "$OUT/diff"
	echo "run go mod tidy: it changes $lines lines, the first of which are above" | tee "$OUT/notes"
	exit 1
fi
go mod verify | tee "$OUT/notes"
