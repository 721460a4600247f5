package codec

import "strconv"

// Enum is implemented by every closed list of wire names, here and in packages that store
// their own records through a [Codec]: a uint8 type whose values count from 1 in the order of
// EnumNames. The ordinal used in preimages and SQL is the value minus one. The method must not
// depend on the receiver's value.
type Enum interface {
	EnumNames() []string
}

// EnumString returns the name of a value; for zero and unknown values it returns their number.
func EnumString[E ~uint8](names []string, v E) string {
	if v == 0 || int(v) > len(names) {
		return "INVALID(" + strconv.Itoa(int(v)) + ")"
	}
	return names[v-1]
}
