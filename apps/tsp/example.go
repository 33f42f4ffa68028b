package tsp

import (
	_ "embed"
	"fmt"
	"strings"

	"satingrid/apps/tsp/tsplib"
)

//go:embed europe.tsp
var europe string

var europeNames = [...]string{
	"Amsterdam", "Andorra la Vella", "Ankara", "Athens", "Baku", "Belgrade", "Berlin", "Bern", "Bratislava", "Brussels",
	"Bucharest", "Budapest", "Chișinău", "Copenhagen", "Dublin", "Helsinki", "Kyiv", "Lisbon", "Ljubljana", "London",
	"Luxembourg", "Madrid", "Minsk", "Monaco", "Moscow", "Nicosia", "Oslo", "Paris", "Podgorica", "Prague", "Pristina",
	"Reykjavík", "Riga", "Rome", "San Marino", "Sarajevo", "Skopje", "Sofia", "Stockholm", "Tallinn", "Tbilisi", "Tirana",
	"Vaduz", "Valletta", "Vienna", "Vilnius", "Warsaw", "Yerevan", "Zagreb",
}

// Example is the problem that is solved where no other is given, the capitals of Europe and around
// it, and the names of its cities.
func Example() (p *tsplib.Problem, names []string) {
	p, err := tsplib.Read(strings.NewReader(europe), "europe.tsp")
	if err != nil {
		panic(fmt.Sprintf("tsp: BUG: %v", err))
	}
	return p, europeNames[:]
}
