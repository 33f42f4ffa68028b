# Turns the README and the other pages into what a reader does who follows them, for tests.sh to
# run.
function quoted(s) { gsub(/'/, "'\\''", s); return "'" s "'" }

# try writes what is to be tried, and on which machine.
function try(words) { print (machine == "" ? "" : "machine=" machine " ") "try " words }

# flush writes a console command once all that it shall print is read.
function flush() {
	if (command != "") try(quoted(command) " " quoted(shown))
	command = shown = ""
}

(FNR == 1 || /^## /) && !block { print "cd \"$CLONE\"" }

/^```/ {
	if (block == "go" && program ~ /package main/) print "cat >main.go <<'END OF MAIN.GO'\n" program "END OF MAIN.GO"
	if (block == "console") flush()
	block = block ? "" : substr($0, 4)
	# "sh delft" is typed on the machine delft
	machine = ""
	if (split(block, words, " ") == 2 && words[1] ~ /^(sh|console)$/) {
		block = words[1]
		machine = words[2]
	}
	program = ""
	next
}

block == "sh" && NF { try(quoted($0)) }
block == "go" { program = program $0 "\n" }
block == "console" && /^\$ / { flush(); command = substr($0, 3); next }
block == "console" { shown = shown (shown == "" ? "" : "\n") $0 }
