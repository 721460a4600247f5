package table

import "fmt"

// RowError says that a row of a store is not as it was written.
type RowError struct{ What string }

func (e *RowError) Error() string {
	return "the store is damaged: " + e.What + "; restore it from a copy, or run the scenario again"
}

// ID32 converts an id or a hash that was read; what names the column. A value of another length is damage.
func ID32[H ~[32]byte](what string, b []byte) (H, error) {
	if len(b) != len(H{}) {
		return H{}, &RowError{fmt.Sprintf("%s has %d bytes, want %d", what, len(b), len(H{}))}
	}
	return H(b), nil
}

// CheckCycle returns an error if a row is of another cycle than one from 0 to last; what names the table.
func CheckCycle(what string, cycle, last int64) error {
	if cycle < 0 || cycle > last {
		return &RowError{fmt.Sprintf("%s has a row of cycle %d, want one from 0 to %d", what, cycle, last)}
	}
	return nil
}
