package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// answerMax bounds an answer's file: more than all items of the largest problem take.
const answerMax = 1 << 28

// Answer reads an answer as `satin run knapsack` prints it, for people or with --json; file is the
// name that errors say.
func Answer(r io.Reader, file string) (Claim, error) {
	data, err := io.ReadAll(io.LimitReader(r, answerMax))
	if err != nil {
		return Claim{}, fmt.Errorf("%s: %w", file, err)
	}
	if text := bytes.TrimSpace(data); len(text) > 0 && text[0] == '{' {
		return document(data, file)
	}
	return lines(string(data), file)
}

// document reads the answer of --json.
func document(data []byte, file string) (Claim, error) {
	var d struct {
		App    string `json:"app"`
		Answer *struct {
			Value   *int64  `json:"value"`
			Weight  *int64  `json:"weight"`
			Items   []int64 `json:"items"`
			Copies  []int64 `json:"copies"`
			Optimal bool    `json:"optimal"`
		} `json:"answer"`
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return Claim{}, fmt.Errorf("%s:1: the JSON is broken (%w), an answer of satin run knapsack --json is expected", file, err)
	}
	if d.App != "knapsack" {
		return Claim{}, fmt.Errorf("%s:1: app is %q, \"knapsack\" is expected", file, d.App)
	}
	if d.Answer == nil || d.Answer.Value == nil || d.Answer.Weight == nil || d.Answer.Items == nil {
		return Claim{}, fmt.Errorf("%s:1: the answer is not whole, value, weight and items are expected", file)
	}
	return Claim{*d.Answer.Value, *d.Answer.Weight, d.Answer.Items, d.Answer.Copies, d.Answer.Optimal}, nil
}

// lines reads the answer for people: a line each for value, weight, optimal and items.
func lines(text, file string) (c Claim, err error) {
	seen := map[string]bool{}
	at := 0
	wrong := func(format string, args ...any) (Claim, error) {
		return Claim{}, fmt.Errorf("%s:%d: %s", file, at, fmt.Sprintf(format, args...))
	}
	for line := range strings.Lines(text) {
		at++
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		key, rest := fields[0], fields[1:]
		if seen[key] {
			return wrong("a second line %q, one is expected", key)
		}
		seen[key] = true
		var numbers, counts []int64
		if key != "optimal" {
			for _, f := range rest {
				item, copies, many := strings.Cut(f, "x")
				v, err := strconv.ParseInt(item, 10, 64)
				if err != nil || many && key != "items" {
					return wrong("%s says %q, a whole number is expected", key, f)
				}
				n := int64(1)
				if many {
					if n, err = strconv.ParseInt(copies, 10, 64); err != nil {
						return wrong("%s says %q, an item and how often it is packed are expected, as 3x2", key, f)
					}
				}
				numbers, counts = append(numbers, v), append(counts, n)
			}
		}
		switch {
		case key == "items":
			if c.Items = numbers; slices.Max(append(counts, 1)) > 1 {
				c.Copies = counts
			}
		case key == "value" && len(numbers) == 1:
			c.Value = numbers[0]
		case key == "weight" && len(numbers) == 1:
			c.Weight = numbers[0]
		case key == "optimal" && len(rest) > 0 && (rest[0] == "yes" || rest[0] == "no,"):
			c.Optimal = rest[0] == "yes"
		default:
			return wrong("the line begins with %q, value, weight, optimal or items with what belongs to it is expected", key)
		}
	}
	at++
	for _, key := range []string{"value", "weight", "optimal", "items"} {
		if !seen[key] {
			return wrong("the file ends here, a line %q is expected", key)
		}
	}
	return c, nil
}
