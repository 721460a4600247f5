package det_test

import (
	"fmt"

	"kingdom/det"
)

// A stream is named by what it is for, whom it belongs to and when: whoever asks in
// whatever order gets the same numbers, on every machine.
func ExampleNewStream() {
	seed, agent := [32]byte{42}, [32]byte{1}
	s := det.NewStream(seed, det.MindChoice, agent, 300)
	fmt.Println(s.IntN(6)+1, s.IntN(6)+1, s.IntN(6)+1, s.Float64())

	again := det.NewStream(seed, det.MindChoice, agent, 300)
	fmt.Println(again.IntN(6)+1, again.IntN(6)+1, again.IntN(6)+1)

	later := det.NewStream(seed, det.MindChoice, agent, 301)
	fmt.Println(later.IntN(6)+1, later.IntN(6)+1, later.IntN(6)+1)
	// Output:
	// 6 5 1 0.92860695759441
	// 6 5 1
	// 4 1 3
}

// A map is walked in the order of its keys, so that its order reaches no result.
func ExampleSortedKeys() {
	stock := map[string]int{"wood": 3, "ore": 1, "grain": 2}
	for _, k := range det.SortedKeys(stock) {
		fmt.Println(k, stock[k])
	}
	// Output:
	// grain 2
	// ore 1
	// wood 3
}
