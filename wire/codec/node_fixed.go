package codec

import (
	"reflect"
	"strconv"
)

// fixedNode is a list of a fixed number of equal items, such as a range.
type fixedNode struct {
	elem node
	n    int
}

func (n fixedNode) append(dst []byte, v reflect.Value) []byte {
	dst = AppendArrayLen(dst, n.n)
	for i := range n.n {
		dst = n.elem.append(dst, v.Index(i))
	}
	return dst
}

func (n fixedNode) want() string { return "a list of " + strconv.Itoa(n.n) }

func (n fixedNode) decode(r *reader, v reflect.Value) error {
	count, err := r.listLen()
	if err != nil {
		return err
	}
	if count != n.n {
		return r.fail(DecodeKindLength, n.want())
	}
	for i := range n.n {
		if err := n.elem.decode(r, v.Index(i)); err != nil {
			return inField(err, "["+strconv.Itoa(i)+"]")
		}
	}
	return nil
}

func (n fixedNode) appendJSON(dst []byte, v reflect.Value) []byte {
	dst = append(dst, '[')
	for i := range n.n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = n.elem.appendJSON(dst, v.Index(i))
	}
	return append(dst, ']')
}

func (n fixedNode) fromJSON(j *jsonReader, v reflect.Value) error {
	at, count := j.pos, 0
	err := j.list(func(i int) error {
		if count = i + 1; i >= n.n {
			return &DecodeError{Kind: DecodeKindLength, Offset: j.pos, Want: n.want()}
		}
		return n.elem.fromJSON(j, v.Index(i))
	})
	if err == nil && count != n.n {
		return &DecodeError{Kind: DecodeKindLength, Offset: at, Want: n.want()}
	}
	return err
}

func (n fixedNode) shape() *Shape {
	return &Shape{Kind: ShapeList, Elem: n.elem.shape(), Len: n.n}
}
