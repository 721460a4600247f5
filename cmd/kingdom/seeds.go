package main

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"kingdom/scenarios"
)

// maxSeeds is the largest number of seeds of a sweep; more is probably a typing error.
const maxSeeds = 10_000

// meantAsRange is how other programs write a range of numbers. Nobody means one seed of that name.
var meantAsRange = regexp.MustCompile(`^\d+ *[-:–— ] *\d+$`)

// parseSeeds reads what --seeds takes: words and ranges of whole numbers, separated by
// commas, such as 1..10,42,blue. Any text without a comma and two dots is a word. It refuses a seed that is named twice, which would count twice in every mean.
func parseSeeds(text string) ([]string, error) {
	var out []string
	for _, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		from, to, isRange := strings.Cut(part, "..")
		switch {
		case part == "":
			return nil, usagef("--seeds %s has an empty item; want seeds such as 1..10 or 1,5,blue", shellQuote(text))
		case !isRange && meantAsRange.MatchString(part):
			ends := strings.FieldsFunc(part, func(r rune) bool { return !unicode.IsDigit(r) })
			return nil, usagef("--seeds: %s is no range; want %s..%s, or %s,%s for these two alone; --seed %s makes one run with a seed of that name", shellQuote(part), ends[0], ends[1], ends[0], ends[1], shellQuote(part))
		case !isRange:
			out = append(out, part)
		default:
			first, err := strconv.ParseUint(from, 10, 64)
			last, lerr := strconv.ParseUint(to, 10, 64)
			switch {
			case err != nil || lerr != nil:
				return nil, usagef("--seeds: %s is not a range; want two whole numbers from 0 to %d, such as 1..10", shellQuote(part), uint64(math.MaxUint64))
			case last < first:
				return nil, usagef("--seeds: %s ends before it begins; want %d..%d", part, last, first)
			case last-first >= maxSeeds:
				return nil, tooManySeedsError()
			}
			for i := range last - first + 1 {
				out = append(out, strconv.FormatUint(first+i, 10))
			}
		}
		if len(out) > maxSeeds {
			return nil, tooManySeedsError()
		}
	}
	named := map[string]bool{}
	for _, seed := range out {
		if named[seed] {
			return nil, usagef("--seeds names the seed %s twice", shellQuote(seed))
		}
		named[seed] = true
	}
	return out, nil
}

func tooManySeedsError() error {
	return usagef("--seeds names more than %d seeds; split them into several sweeps", maxSeeds)
}

// withSeeds returns a copy of the scenario for each seed. It returns an error if two seeds are the same, such as 7 and "7", or
// would give the same name of a directory (on file systems that ignore case) or of a schema.
func withSeeds(sc *scenarios.Scenario, seeds []string) ([]*scenarios.Scenario, error) {
	out := make([]*scenarios.Scenario, len(seeds))
	named, worlds := map[string]string{}, map[scenarios.Seed]string{}
	for i, seed := range seeds {
		own := *sc
		if err := own.Override("seed=" + seed); err != nil {
			if e, ok := asError[*scenarios.Error](err); ok {
				for k := range e.Problems {
					e.Problems[k].File = "--seeds " + shellQuote(seed)
				}
			}
			return nil, usage(err)
		}
		if other, taken := worlds[own.Seed]; taken {
			return nil, usagef("the seeds %s and %s are the same; leave one out", shellQuote(other), shellQuote(seed))
		}
		worlds[own.Seed] = seed
		name := schemaNameFrom(seed)
		if other, taken := named[name]; taken {
			return nil, usagef("the seeds %s and %s would share a directory; rename one", shellQuote(other), shellQuote(seed))
		}
		named[name] = seed
		out[i] = &own
	}
	return out, nil
}

// schemaNameFrom makes a name of a database schema of a word.
func schemaNameFrom(s string) string {
	return strings.ToLower(strings.ReplaceAll(fileNameFrom(s), "-", "_"))
}
