# Put what is on the standard input in the place of the executable, whole or not at all.
umask 077
mkdir -p "${program%/*}" || exit 1
part=$program.$$
trap 'rm -f "$part"' EXIT
cat >"$part" && [ $(wc -c <"$part") -eq "$size" ] && chmod 700 "$part" && mv -f "$part" "$program"
