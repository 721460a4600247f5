package wire

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vmihailenco/msgpack/v5"
	"pgregory.net/rapid"

	"kingdom/wire/codec"
)

func TestCodec_RoundTrip(t *testing.T) {
	eachType(t, func(t *rapid.T, p *codec.Plan, v any) {
		b := p.Append(nil, v)
		back := p.New()
		if err := p.Decode(b, back); err != nil {
			t.Fatalf("decode of own bytes %x: %v", b, err)
		}
		if d := cmp.Diff(v, back); d != "" {
			t.Fatalf("round trip (-sent +read):\n%s", d)
		}
		if again := p.Append(nil, back); !bytes.Equal(again, b) {
			t.Fatalf("re-encoding gives %x, want %x", again, b)
		}
		if err := p.Decode(append(b[:len(b):len(b)], 0xC0), back); !errors.Is(err, &codec.DecodeError{Kind: codec.DecodeKindTrailing}) {
			t.Fatalf("a trailing byte gives %v", err)
		}
		cut := rapid.IntRange(0, len(b)-1).Draw(t, "cut")
		if err := p.Decode(b[:cut], back); err == nil {
			t.Fatalf("the first %d of %d bytes decode", cut, len(b))
		}
	})
}

func TestCodec_JSONRoundTrip(t *testing.T) {
	eachType(t, func(t *rapid.T, p *codec.Plan, v any) {
		clearRuntime(reflect.ValueOf(v).Elem())
		raw := p.AppendJSON(nil, v)
		back := p.New()
		if err := p.FromJSON(raw, back, nil); err != nil {
			t.Fatalf("reading own JSON %s: %v", raw, err)
		}
		if d := cmp.Diff(v, back); d != "" {
			t.Fatalf("JSON round trip of %s (-sent +read):\n%s", raw, d)
		}
	})
}

// clearRuntime zeroes the fields that JSON never carries.
func clearRuntime(v reflect.Value) {
	if v.Kind() != reflect.Struct {
		return
	}
	for i := range v.NumField() {
		if tag := v.Type().Field(i).Tag.Get("kdom"); bytes.Contains([]byte(tag), []byte(",runtime")) {
			v.Field(i).SetZero()
		}
	}
}

// The bytes of the plan are those of the msgpack library with compact integers, for every
// payload type.
func TestCodec_BytesOfLibrary(t *testing.T) {
	eachType(t, func(t *rapid.T, p *codec.Plan, v any) {
		var buf bytes.Buffer
		enc := msgpack.NewEncoder(&buf)
		enc.UseCompactInts(true)
		if err := encodeByLibrary(enc, reflect.ValueOf(v).Elem()); err != nil {
			t.Fatal(err)
		}
		if got := p.Append(nil, v); !bytes.Equal(got, buf.Bytes()) {
			t.Fatalf("plan gives %x, library %x", got, buf.Bytes())
		}
	})
}

// encodeByLibrary walks a value by the documented mapping and lets the library write each
// part.
func encodeByLibrary(enc *msgpack.Encoder, v reflect.Value) error {
	typ := v.Type()
	switch {
	case typ == reflect.TypeFor[codec.BinMap]():
		m := v.Interface().(codec.BinMap)
		errs := []error{enc.EncodeMapLen(len(m))}
		for _, e := range m {
			errs = append(errs, enc.EncodeString(e.Key), enc.EncodeBytes(e.Value))
		}
		return errors.Join(errs...)
	case typ.Kind() == reflect.Uint8 && typ.Implements(reflect.TypeFor[codec.Enum]()):
		return enc.EncodeString(v.Interface().(codec.Enum).EnumNames()[v.Uint()-1])
	case typ.Kind() == reflect.Struct:
		return encodeStructByLibrary(enc, v)
	}
	switch v.Kind() {
	case reflect.Bool:
		return enc.EncodeBool(v.Bool())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return enc.EncodeUint(v.Uint())
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return enc.EncodeInt(v.Int())
	case reflect.Float32:
		return enc.EncodeFloat32(float32(v.Float()))
	case reflect.Float64:
		return enc.EncodeFloat64(v.Float())
	case reflect.String:
		return enc.EncodeString(v.String())
	case reflect.Pointer:
		if v.IsNil() {
			return enc.EncodeNil()
		}
		return encodeByLibrary(enc, v.Elem())
	}
	if typ.Elem().Kind() == reflect.Uint8 && !typ.Elem().Implements(reflect.TypeFor[codec.Enum]()) {
		b := v.Bytes()
		if b == nil {
			b = []byte{}
		}
		return enc.EncodeBytes(b)
	}
	errs := []error{enc.EncodeArrayLen(v.Len())}
	for i := range v.Len() {
		errs = append(errs, encodeByLibrary(enc, v.Index(i)))
	}
	return errors.Join(errs...)
}

func encodeStructByLibrary(enc *msgpack.Encoder, v reflect.Value) error {
	typ := v.Type()
	union, tuple := typ.Implements(reflect.TypeFor[interface{ Union() }]()), typ.Implements(reflect.TypeFor[interface{ Tuple() }]())
	var errs []error
	var keep []int
	for i := range typ.NumField() {
		tag := typ.Field(i).Tag.Get("kdom")
		if (union || bytes.HasSuffix([]byte(tag), []byte(",opt"))) && v.Field(i).IsZero() {
			continue
		}
		keep = append(keep, i)
	}
	unit := union && v.Field(keep[0]).Kind() == reflect.Bool
	switch {
	case tuple:
		errs = append(errs, enc.EncodeArrayLen(len(keep)))
	case !unit:
		errs = append(errs, enc.EncodeMapLen(len(keep)))
	}
	for _, i := range keep {
		name, _, _ := bytes.Cut([]byte(typ.Field(i).Tag.Get("kdom")), []byte(","))
		if !tuple {
			errs = append(errs, enc.EncodeString(string(name)))
		}
		if !unit {
			errs = append(errs, encodeByLibrary(enc, v.Field(i)))
		}
	}
	return errors.Join(errs...)
}
