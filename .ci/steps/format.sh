# Every Go file is as gofmt writes it, planted ones included.
mapfile -t files < <(find . -name .git -prune -o -name '*.go' -print)
unformatted="$("$(go env GOROOT)/bin/gofmt" -l "${files[@]}")"
echo "${#files[@]} files" >"$OUT/notes"
if [[ -n $unformatted ]]; then
	printf 'run gofmt -w on:\n%s\n' "$unformatted"
	exit 1
fi
