// Package sample is broken by the tests of the command.
package sample

const limit = 10

// Fee is a tenth of an amount and at least 2.
func Fee(amount int) int {
	fee := amount / limit
	if fee < 2 {
		fee = 2
	}
	return fee
}

// Open tells whether a door is open: by day, to those who have a key.
func Open(day, key bool) bool { return day && key }

// Count counts the names that are not empty.
func Count(names ...string) int {
	n := 0
	for _, s := range names {
		if s == "" {
			continue
		}
		n++
	}
	return n
}

// Unused is called by no test.
func Unused(x float64) float64 { return -x * 0.5 }

// Highest is called by no test, and one more than its number would not compile.
func Highest() uint32 { return ^uint32(0) }
