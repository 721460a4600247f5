package llm

import (
	"fmt"
	"strings"
)

// USD formats millionths of a US dollar as dollars with two to six decimal places, such as "0.0025 USD".
func USD(micro uint64) string {
	places := strings.TrimRight(fmt.Sprintf("%06d", micro%1_000_000), "0")
	for len(places) < 2 {
		places += "0"
	}
	return fmt.Sprintf("%d.%s USD", micro/1_000_000, places)
}
