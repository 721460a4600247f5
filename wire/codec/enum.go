package codec

import "strconv"

// Enum is implemented by every closed list of wire names, here and in packages that store
// their own records through a [Codec]: a uint8 type whose values count from 1 in the order of
// EnumNames. The ordinal used in preimages and SQL is the value minus one. The method must not
// depend on the receiver's value.
type Enum interface {
	EnumNames() []string
}

// EnumString names a value; zero and unknown values show their number.
func EnumString(names []string, v uint8) string {
	if v == 0 || int(v) > len(names) {
		return "INVALID(" + strconv.Itoa(int(v)) + ")"
	}
	return names[v-1]
}

// ParseEnum finds the value of an exact wire name; ok is false for any other text.
func ParseEnum[E interface {
	~uint8
	Enum
}](name string) (v E, ok bool) {
	for i, n := range v.EnumNames() {
		if n == name {
			return E(i + 1), true
		}
	}
	return 0, false
}
