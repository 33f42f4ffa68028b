package launch

import "strings"

// plain are the letters that mean nothing to a shell, and words of which need no quotes.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,@%+="

// quoted is a word as a shell takes it, whatever is in it.
func quoted(word string) string {
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// quotedAll are words as a shell takes them, with spaces between.
func quotedAll(words []string) string {
	all := make([]string, len(words))
	for n, word := range words {
		all[n] = quoted(word)
	}
	return strings.Join(all, " ")
}
