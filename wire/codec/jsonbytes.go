package codec

import (
	"encoding/base64"
	"encoding/hex"
)

// bytesFromText applies the prefixes hex: and b64:; any other text stands for its own UTF-8.
func bytesFromText(s []byte, at int) ([]byte, error) {
	switch {
	case len(s) >= 4 && string(s[:4]) == "hex:":
		b, err := hex.AppendDecode(nil, s[4:])
		if err != nil {
			return nil, &DecodeError{Kind: DecodeKindValue, Offset: at, Want: "hex digits after hex:"}
		}
		return b, nil
	case len(s) >= 4 && string(s[:4]) == "b64:":
		b, err := base64.StdEncoding.AppendDecode(nil, s[4:])
		if err != nil {
			return nil, &DecodeError{Kind: DecodeKindValue, Offset: at, Want: "base64 after b64:"}
		}
		return b, nil
	}
	return append([]byte(nil), s...), nil
}
