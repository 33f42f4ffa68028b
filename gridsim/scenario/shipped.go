package scenario

import (
	"embed"
	"path"
	"strings"
)

//go:embed experiments/*.yaml
var experiments embed.FS

// Shipped are the names of the scenarios that come with this package, sorted.
func Shipped() (names []string) {
	files, _ := experiments.ReadDir("experiments") // it is in the binary
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".yaml"))
	}
	return names
}

// ShippedText is the text of one of them.
func ShippedText(name string) ([]byte, bool) {
	text, err := experiments.ReadFile(path.Join("experiments", name+".yaml"))
	return text, err == nil
}

// AboutShipped is what one of them says of itself.
func AboutShipped(name string) string {
	text, _ := ShippedText(name)
	top, _ := parse(text)
	var first *Mistake
	return (&fields{node: top, first: &first}).text("about", "")
}
