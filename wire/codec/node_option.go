package codec

import "reflect"

// optionNode is a T? field: nil when absent.
type optionNode struct {
	elem node
	typ  reflect.Type
}

func (n optionNode) append(dst []byte, v reflect.Value) []byte {
	if v.IsNil() {
		return AppendNil(dst)
	}
	return n.elem.append(dst, v.Elem())
}

func (n optionNode) decode(r *reader, v reflect.Value) error {
	absent, err := r.isNil()
	if err != nil {
		return err
	}
	if absent {
		v.SetZero()
		return nil
	}
	v.Set(reflect.New(n.typ))
	return n.elem.decode(r, v.Elem())
}

func (n optionNode) appendJSON(dst []byte, v reflect.Value) []byte {
	if v.IsNil() {
		return append(dst, "null"...)
	}
	return n.elem.appendJSON(dst, v.Elem())
}

func (n optionNode) fromJSON(j *jsonReader, v reflect.Value) error {
	if j.null() {
		v.SetZero()
		return nil
	}
	v.Set(reflect.New(n.typ))
	return n.elem.fromJSON(j, v.Elem())
}

func (n optionNode) shape() *Shape { return n.elem.shape() }
