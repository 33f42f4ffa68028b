# Machines of the pages, for tests.sh: a block marked "sh delft" or "console delft" is typed on the
# machine delft. Each is a shell of its own with an empty HOME of its own; in a network
# namespace of its own where this may make some, with an address that the others reach. They share
# the folders, so that what the reader copies from one to the other is there already.
declare -A machines=()
netns="readme$$"

# machine NAME begins one, in the folder where the reader is.
machine() {
	local name=$1 number=$((${#machines[@]} + 1)) inside=() fd
	mkdir "$OUT/$name" && mkfifo "$OUT/$name/typed"
	if bridge 2>/dev/null && ip netns add "$netns-$name" 2>/dev/null; then
		inside=(ip netns exec "$netns-$name")
		ip -n "$netns" link add "$name" type veth peer name eth0 netns "$netns-$name"
		ip -n "$netns" link set "$name" master reader up
		ip -n "$netns-$name" addr add "10.77.0.$number/24" dev eth0
		ip -n "$netns-$name" link set eth0 up
		ip -n "$netns-$name" link set lo up
	fi
	HOME="$OUT/$name" "${inside[@]}" bash <"$OUT/$name/typed" &
	exec {fd}>"$OUT/$name/typed"
	machines[$name]=$fd
}

# bridge makes the cable that all are plugged into: a namespace of its own.
bridge() {
	ip netns list | grep -q "^$netns\b" && return
	ip netns add "$netns" && ip -n "$netns" link add reader type bridge && ip -n "$netns" link set reader up
}

# on NAME COMMAND types a command on a machine, and returns when it has ended; with & at its end, as
# a reader does: when it has printed something, or after some seconds.
on() {
	local name=$1 home="$OUT/$1"
	[[ -n ${machines[$name]:-} ]] || machine "$name"
	printf '{\n%s\n} >"%s"\necho $? >"%s"\n' "$2" "$home/printed" "$home/ended" >&"${machines[$name]}"
	until [[ -s $home/ended ]]; do sleep 0.05; done
	if [[ $2 == *"&" ]]; then
		for _ in {1..50}; do [[ -s $home/printed ]] || sleep 0.1; done
	fi
	cat "$home/printed"
	local code
	code=$(cat "$home/ended")
	rm -f "$home/ended"
	return "$code"
}

# unplug ends all machines, and what runs there.
unplug() {
	local name
	for name in "${!machines[@]}"; do
		printf 'kill -9 $(jobs -p) 2>/dev/null\nexit\n' >&"${machines[$name]}"
		ip netns del "$netns-$name" 2>/dev/null || true
	done
	ip netns del "$netns" 2>/dev/null || true
}
trap unplug EXIT
