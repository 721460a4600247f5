package codec

import (
	"reflect"
	"strconv"
)

// maxPrealloc is the largest number of list items that are allocated before any is read, so that a large declared length
// alone does not allocate much.
const maxPrealloc = 64

type listNode struct {
	elem node
	typ  reflect.Type
}

func (n *listNode) append(dst []byte, v reflect.Value) []byte {
	dst = AppendArrayLen(dst, v.Len())
	for i := range v.Len() {
		dst = n.elem.append(dst, v.Index(i))
	}
	return dst
}

func (n *listNode) decode(r *reader, v reflect.Value) error {
	count, err := r.listLen()
	if err != nil {
		return err
	}
	if err := r.enter(); err != nil {
		return err
	}
	defer r.leave()
	v.SetZero()
	if count == 0 {
		return nil
	}
	v.Grow(min(count, maxPrealloc))
	for i := range count {
		if i == v.Cap() {
			v.Grow(i)
		}
		v.SetLen(i + 1)
		if err := n.elem.decode(r, v.Index(i)); err != nil {
			return inField(err, "["+strconv.Itoa(i)+"]")
		}
	}
	return nil
}

func (n *listNode) appendJSON(dst []byte, v reflect.Value) []byte {
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = n.elem.appendJSON(dst, v.Index(i))
	}
	return append(dst, ']')
}

func (n *listNode) fromJSON(j *jsonReader, v reflect.Value) error {
	v.SetZero()
	return j.list(func(i int) error {
		v.Grow(1)
		v.SetLen(i + 1)
		return n.elem.fromJSON(j, v.Index(i))
	})
}

func (n *listNode) shape() *Shape { return &Shape{Kind: ShapeList, Elem: n.elem.shape()} }
