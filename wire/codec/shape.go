package codec

// ShapeKind is the closed list of JSON forms that a field can have.
type ShapeKind uint8

// Forms of a [Shape].
const (
	// ShapeBool is true or false.
	ShapeBool ShapeKind = iota + 1
	// ShapeUint is an integer from 0 to 2^Bits-1.
	ShapeUint
	// ShapeInt is a signed integer of Bits bits.
	ShapeInt
	// ShapeFloat is a number of Bits bits, in [0,1] if Unit.
	ShapeFloat
	// ShapeText is text.
	ShapeText
	// ShapeBytes is text, or raw bytes with the prefix hex: or b64:.
	ShapeBytes
	// ShapeHash is the hex form of Len bytes.
	ShapeHash
	// ShapeAgent is an agent id in hex, or its 8-digit alias.
	ShapeAgent
	// ShapeEnum is one of Names.
	ShapeEnum
	// ShapeList is a list of Elem, of exactly Len items if Len is not 0.
	ShapeList
	// ShapeTuple is a list with one item per entry of Fields.
	ShapeTuple
	// ShapeStruct is an object with Fields.
	ShapeStruct
	// ShapeUnion is one of Fields: the bare name if its Shape is nil, else {name: value}.
	ShapeUnion
	// ShapeBinMap is an object with free keys and ShapeBytes values.
	ShapeBinMap
	// ShapeObject is an object whose form depends on the other fields, or text.
	ShapeObject
	// ShapeRaw is any object.
	ShapeRaw
	// ShapeTextMap is an object with free keys and text values.
	ShapeTextMap
	// ShapeBlocks is a list of content blocks, or text for one paragraph.
	ShapeBlocks
)

// Shape describes the JSON form of a payload, for schemas and documentation. Shapes of
// recursive types are cyclic.
type Shape struct {
	Kind ShapeKind
	Bits int
	Len  int
	Unit bool
	// Max is how many items a list or how many bytes a text may have, 0 without a bound. The
	// codec reads more: what exceeds it is the reader's to cut or refuse.
	Max    int
	Names  []string
	Elem   *Shape
	Fields []FieldShape
}

// Field returns the shape of a field or variant, nil if there is none.
func (s *Shape) Field(name string) *Shape {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return s.Fields[i].Shape
		}
	}
	return nil
}

// FieldShape is one field of a struct or one variant of a union.
type FieldShape struct {
	Name  string
	Shape *Shape
	// Required says that JSON must hold it.
	Required bool
	// Nullable says that JSON may hold null.
	Nullable bool
	// Zero says that JSON may leave it out for 0, false, nothing, or the first name of an enum.
	Zero bool
	// Runtime says that the runtime fills it and JSON must not hold it.
	Runtime bool
}
