# The README's commands, as a new user types them: in a clone, with an empty HOME. Blocks marked sh must succeed;
# those marked console must also print what they show. A Go program becomes main.go in the folder where the
# reader then is. Every section begins in the clone. Downloaded modules and built packages are shared.
for name in GOPROXY GOSUMDB GONOSUMDB GOTOOLCHAIN GOFLAGS GOMODCACHE GOCACHE; do
	value="$(go env $name)"
	export $name="$value"
done
export CLONE="$OUT/satin" HOME="$OUT/home"
mkdir "$HOME"
if ! git clone -q --no-hardlinks "$ROOT" "$CLONE"; then
	mkdir -p "$CLONE" && tar -C "$ROOT" --exclude=.git -cf - . | tar -C "$CLONE" -xf -
fi
awk -f .ci/steps/readme.awk "$CLONE/README.md" >"$OUT/script"

passed=0 failed=0

# try COMMAND [SHOWN] runs a command in this shell, so that a cd lasts.
try() {
	echo "\$ $1"
	if eval "$1" >"$OUT/printed" && { [[ $# == 1 ]] || [[ $(cat "$OUT/printed") == "$2" ]]; }; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		red+=" [$1]"
		echo "^ this command of the README failed, or printed something else than is shown"
	fi
	cat "$OUT/printed"
}
source "$OUT/script"

echo "$passed commands as written, $failed not${red:-}" >"$OUT/notes"
echo "$passed $failed" >"$OUT/counts"
((failed == 0 && passed > 0))
