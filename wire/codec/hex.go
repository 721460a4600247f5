package codec

// ParseHex fills dst from exactly as many hex digits, of either case; after an error dst is zero.
func ParseHex[S string | []byte](dst []byte, s S) error {
	if len(s) != 2*len(dst) {
		return &DecodeError{Kind: DecodeKindLength, Offset: len(s)}
	}
	for i := range dst {
		hi, lo := hexValues[s[2*i]], hexValues[s[2*i+1]]
		if hi|lo > 15 {
			clear(dst)
			return &DecodeError{Kind: DecodeKindValue, Offset: 2 * i}
		}
		dst[i] = hi<<4 | lo
	}
	return nil
}

// hexValues are the values of the hex digits in both cases, 255 for every other byte.
var hexValues = makeHexValues()

func makeHexValues() (values [256]byte) {
	for i := range values {
		values[i] = 255
	}
	for i := range byte(16) {
		values["0123456789abcdef"[i]] = i
		values["0123456789ABCDEF"[i]] = i
	}
	return values
}
