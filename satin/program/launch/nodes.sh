# Of a node's process: dir is the folder of the launch, and name that folder's name.
arguments() {
	if [ -d /proc/self ]; then tr '\0' ' ' <"/proc/$1/cmdline"; else ps -ww -o args= -p "$1"; fi 2>/dev/null
}
machine=$(uname -n)
elsewhere() { # NUMBER was started by this file system's folder on another machine: its name
	on=$(cat "$dir/$1/on" 2>/dev/null) && [ -n "$on" ] && [ "$on" != "$machine" ]
}
lives() { # NUMBER, and pid is its process: another's with that id has other arguments
	pid=$(cat "$dir/$1/pid" 2>/dev/null) || return 1
	case $(arguments "$pid") in *"$name/$1/state"*) return 0 ;; esac
	return 1
}
member() { sed -n '/^[^ ]* has .* grid /{p;q;}' "$dir/$1/log" 2>/dev/null; } # what it has said of that
last() { tail -n 1 "$dir/$1/log" 2>/dev/null; }
