package fakellm

import (
	"encoding/json"
	"strconv"
	"strings"
)

// offer is one line of the prompt's AFFORDANCES: an action, its parameters as JSON, and what the line says of it.
type offer struct {
	name   string
	params json.RawMessage

	goal     string             // "" if it serves none
	priority float64            // of the goal; of rest what a slot is worth
	success  float64            // 1 if the line says nothing
	ticks    float64            // likewise
	factors  map[string]float64 // that speak for or against it
	quotes   map[string]string  // what the line quotes, by the words before the quotation
}

// offersOf lists the offers of a prompt: lines with a number, an action, its parameters and what is known about it.
func offersOf(prompt string) (offers []offer) {
	_, list, _ := strings.Cut(prompt, "## AFFORDANCES\n")
	priorities := map[string]float64{} // a goal's priority stands on its first line only
	shared := map[string]float64{}
	for line := range strings.SplitSeq(list, "\n") {
		if all, ok := strings.CutPrefix(line, "of all these: "); ok {
			weigh(shared, all)
			continue
		}
		digits, rest, _ := strings.Cut(line, ". ")
		after := strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz_")
		name := rest[:len(rest)-len(after)]
		if digits == "" || name == "" || strings.Trim(digits, "0123456789") != "" {
			continue
		}
		o := offer{name: name, params: json.RawMessage("{}"), success: 1, ticks: 1, factors: map[string]float64{}, quotes: map[string]string{}}
		if strings.HasPrefix(after, " {") {
			x := scanner{b: []byte(after)}
			if o.params = x.value(); x.bad || !json.Valid(o.params) {
				continue
			}
			after = after[x.pos:]
		}
		for k, v := range shared {
			o.factors[k] = v
		}
		o.read(strings.TrimPrefix(after, " : "), priorities)
		offers = append(offers, o)
	}
	return offers
}

// read takes in what stands behind the parameters: parts between commas and semicolons.
func (o *offer) read(about string, priorities map[string]float64) {
	for part := range parts(about) {
		word, value, _ := strings.Cut(part, " ")
		switch word {
		case "for":
			o.goal, o.priority = value, priorities[value]
		case "priority":
			o.priority = number(value)
			priorities[o.goal] = o.priority
		case "success":
			o.success = number(value)
		case "a": // slot is worth
			o.priority = number(strings.TrimPrefix(value, "slot is worth "))
		default:
			if what, words, ok := strings.Cut(part, ": \""); ok {
				var text string
				if json.Unmarshal([]byte("\""+words), &text) == nil { // an author may stand behind it
					o.quotes[what] = text
				}
			} else if value == "ticks" {
				o.ticks = max(number(word), 1)
			} else {
				weigh(o.factors, part)
			}
		}
	}
}

// parts iterates over the parts between commas and semicolons outside of quotations.
func parts(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start, quoted := 0, false
		for i := 0; i <= len(s); i++ {
			switch {
			case i == len(s), !quoted && (s[i] == ',' || s[i] == ';'):
				if !yield(strings.TrimSpace(s[start:i])) {
					return
				}
				start = i + 1
			case s[i] == '"':
				quoted = !quoted
			case s[i] == '\\':
				i++
			}
		}
	}
}

func number(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64) // what is no number counts as 0
	return v
}
