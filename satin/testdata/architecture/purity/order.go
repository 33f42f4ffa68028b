package purity

import (
	"maps"
	"slices"
	"sort"
)

type table map[string]int

func ordered(m table) (sum int) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		sum += m[k]
	}
	var keys []string
	for k, v := range m {
		if v == 0 {
			continue
		}
		keys = append(keys, k)
	}
	slices.Sort(keys)
	names := make([]string, 0, len(m))
	for k := range m {
		names = append(names, k)
	}
	sort.Strings(names)
	maps.DeleteFunc(m, func(_ string, v int) bool { return v == 0 })
	for range names {
		sum++
	}
	return sum
}

func unordered[M ~map[string]int](m table, g M) (sum int) {
	for _, v := range m { // want "range over a map"
		sum += v
	}
	for range g { // want "range over a map"
		sum++
	}
	var keys []string
	for k := range m { // want "range over a map"
		keys = append(keys, k)
	}
	for k := range maps.Keys(m) { // want "maps.Keys"
		keys = append(keys, k)
	}
	slices.Sort(keys)
	keys = slices.Collect(maps.Keys(m)) // want "maps.Keys"
	for range maps.All(m) {             // want "maps.All"
		sum++
	}
	all := maps.Values[table] // want "maps.Values"
	_ = all
	maps.DeleteFunc(m, func(k string, _ int) bool { // want "maps.DeleteFunc"
		keys = append(keys, k)
		return true
	})
	return sum + len(keys)
}

func firstFew(m table) []string {
	var keys []string
	for k := range m { // want "range over a map"
		if len(keys) == 3 {
			continue
		}
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for k := range m { // want "range over a map"
		keys = append(keys, k)
		break
	}
	slices.Sort(keys)
	for k := range m { // want "range over a map"
		keys = append(keys, k)
	}
	sort.SearchStrings(keys, "a")
	return keys
}
