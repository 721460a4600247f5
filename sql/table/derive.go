package table

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"kingdom/engine"
)

// Derived is a table whose columns follow from the fields of its row type: one column per
// field, named by its kdom tag, or by its column tag where it has one. A column tag with
// several names spreads an array over as many columns; "-" leaves the field out.
//
// So a new column is a field and a migration: writing, reading and snapshots follow.
type Derived[R any] struct {
	*Table
	fields []field
}

// field is one column of a row type.
type field struct {
	Column
	index int
	elem  int // of an array that is spread; -1 otherwise
}

// derive makes a table out of its row type and the part of a batch that fills it.
func derive[R any](schema, name string, key int, from func(b *engine.Batch) []R) *Derived[R] {
	return deriveEach(schema, name, key, func(b *engine.Batch, each func(r *R)) {
		rows := from(b)
		for i := range rows {
			each(&rows[i])
		}
	})
}

// deriveEach is derive for rows that are made one at a time.
func deriveEach[R any](schema, name string, key int, from func(b *engine.Batch, each func(r *R))) *Derived[R] {
	fields := fieldsOf(reflect.TypeFor[R]())
	t := &Table{Schema: schema, Name: name, Key: key}
	for _, f := range fields {
		t.Columns = append(t.Columns, f.Column)
	}
	t.Rows = func(b *engine.Batch, put func(v ...any)) {
		vals := make([]any, len(fields))
		from(b, func(r *R) {
			v := reflect.ValueOf(r).Elem()
			for j := range fields {
				vals[j] = fields[j].value(v)
			}
			put(vals...)
		})
	}
	return &Derived[R]{t, fields}
}

func fieldsOf(t reflect.Type) []field {
	var out []field
	for i := range t.NumField() {
		sf := t.Field(i)
		names, _, _ := strings.Cut(sf.Tag.Get("kdom"), ",")
		if c := sf.Tag.Get("column"); c != "" {
			names = c
		}
		if names == "-" {
			continue
		}
		list := strings.Split(names, ",")
		typ, elem := sf.Type, -1
		if len(list) > 1 {
			typ, elem = sf.Type.Elem(), 0
		}
		for _, n := range list {
			f := field{Column: Column{Name: n}, index: i, elem: elem}
			f.ofType(typ)
			out = append(out, f)
			if elem >= 0 {
				elem++
			}
		}
	}
	return out
}

// ofType fills in what follows from the field's type.
func (f *field) ofType(t reflect.Type) {
	if t.Kind() == reflect.Pointer {
		f.Null = true
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Uint8:
		f.Kind = Small
	case reflect.Uint32, reflect.Uint64, reflect.Int64:
		f.Kind = Int
	case reflect.Array, reflect.Slice:
		f.Kind = Bytes
	case reflect.Float32:
		f.Kind = Real
	case reflect.Float64:
		f.Kind = Double
	default:
		panic(fmt.Sprintf("table: column %s: type %s has no column type", f.Name, t))
	}
}

func (f *field) of(row reflect.Value) reflect.Value {
	v := row.Field(f.index)
	if f.elem >= 0 {
		v = v.Index(f.elem)
	}
	return v
}

// value is what a row holds in the column, as the store writes it.
func (f *field) value(row reflect.Value) any {
	v := f.of(row)
	if f.Null {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	switch {
	case v.CanUint():
		return int64(v.Uint())
	case v.CanInt():
		return v.Int()
	case v.CanFloat():
		return v.Float()
	}
	if b := v.Bytes(); b != nil {
		return b
	}
	return []byte{}
}

// dest is a variable to scan the column into.
func (f *field) dest() any {
	switch f.Kind {
	case Bytes:
		return new([]byte)
	case Real, Double:
		return new(float64)
	default:
		return new(*int64)
	}
}

// set moves what was scanned into a row. Shorter bytes than an array takes leave it zero.
func (f *field) set(row reflect.Value, dest any) {
	v := f.of(row)
	switch d := dest.(type) {
	case *[]byte:
		b := detach(d)
		if v.Kind() == reflect.Slice {
			v.SetBytes(b)
		} else if len(b) == v.Len() {
			reflect.Copy(v, reflect.ValueOf(b))
		}
	case *float64:
		v.SetFloat(*d)
	case **int64:
		if *d == nil {
			return
		}
		if f.Null {
			v.Set(reflect.New(v.Type().Elem()))
			v = v.Elem()
		}
		if v.CanInt() {
			v.SetInt(**d)
		} else {
			v.SetUint(uint64(**d))
		}
	}
}

// read runs a query for the table's columns, of which rest is what follows the word FROM
// and the table's name, and hands over each row.
func (t *Derived[R]) read(ctx context.Context, q Query, rest string, args []any, got func(r R)) error {
	return t.scan(ctx, q, "SELECT "+t.Names()+" FROM "+t.Schema+"."+t.Name+" "+rest, args, got)
}

// scan runs a query whose result has the table's columns.
func (t *Derived[R]) scan(ctx context.Context, q Query, sql string, args []any, got func(r R)) error {
	dest := make([]any, len(t.fields))
	for i := range t.fields {
		dest[i] = t.fields[i].dest()
	}
	return q.each(ctx, sql, args, dest, func() {
		var r R
		v := reflect.ValueOf(&r).Elem()
		for i := range t.fields {
			t.fields[i].set(v, dest[i])
		}
		got(r)
	})
}

// Row returns the row with these values in column order, as Table.Rows writes them.
func (t *Derived[R]) Row(values []any) R {
	var r R
	v := reflect.ValueOf(&r).Elem()
	for i := range t.fields {
		f := &t.fields[i]
		switch val := values[i].(type) {
		case int64:
			p := &val
			f.set(v, &p)
		case []byte:
			f.set(v, &val)
		case float64:
			f.set(v, &val)
		}
	}
	return r
}

// appended marks a table whose rows are written once.
func (t *Derived[R]) appended() *Derived[R] { t.Append = true; return t }

// fresh marks a table whose rows are seldom written again.
func (t *Derived[R]) fresh() *Derived[R] { t.Fresh = true; return t }

// stamped marks a table with a wall-clock column updated_at.
func (t *Derived[R]) stamped() *Derived[R] { t.Stamped = true; return t }

// owned marks a table whose rows keep the agent that they were written for.
func (t *Derived[R]) owned() *Derived[R] { t.Owned = true; return t }

// lent marks a table whose bytes put must not keep.
func (t *Derived[R]) lent() *Derived[R] { t.Lent = true; return t }

// without adds the rows that a batch deletes.
func (t *Derived[R]) without(gone func(b *engine.Batch, put func(v ...any))) *Derived[R] {
	t.Gone = gone
	return t
}
