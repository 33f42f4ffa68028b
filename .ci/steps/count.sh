# tally LOG counts the tests in what go test -v printed: tests, examples and fuzz targets by their
# seeds. A test with subtests is one. The names of skipped ones, subtests included, go to
# $OUT/skipped, each with the line before it, which is the reason. A package that failed with no
# test of its own to blame is one failure.
tally() {
	ran_passed=$(grep -c '^--- PASS: ' "$1" || true)
	ran_failed=$(awk '
		/^--- FAIL: / { tests++; all++ }
		/^FAIL\t/ { if (!tests) all++; tests = 0 }
		/^ok / { tests = 0 }
		END { print all + 0 }' "$1")
	awk '/^ *--- SKIP: / { print "  " $3 ": " before } { before = $0; sub(/^ +/, "", before) }' "$1" >"$OUT/skipped"
	ran_skipped=$(wc -l <"$OUT/skipped")
}
