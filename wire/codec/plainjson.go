package codec

import (
	"encoding/json"
	"errors"
	"fmt"
)

// PlainJSON returns an error of encoding/json without the names of Go types, which say nothing to whoever reads the message.
func PlainJSON(err error) error {
	bad := (*json.UnmarshalTypeError)(nil)
	switch {
	case !errors.As(err, &bad):
		return err
	case bad.Field == "":
		return fmt.Errorf("the value is of the wrong kind, %s", bad.Value)
	default:
		return fmt.Errorf("the value of %q is of the wrong kind, %s", bad.Field, bad.Value)
	}
}
