package codec

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
)

type numbers struct {
	U8  uint8   `kdom:"u8"`
	U16 uint16  `kdom:"u16"`
	U32 uint32  `kdom:"u32"`
	U64 uint64  `kdom:"u64"`
	I8  int8    `kdom:"i8"`
	I16 int16   `kdom:"i16"`
	I32 int32   `kdom:"i32"`
	I64 int64   `kdom:"i64"`
	F32 float32 `kdom:"f32"`
	F64 float64 `kdom:"f64"`
}

var numbersCodec = New[numbers]()

// The borders at which an integer gets a longer form, and one to each side of them.
func borders() []int64 {
	var out []int64
	for _, b := range []int64{0, 32, 1 << 7, 1 << 8, 1 << 15, 1 << 16, 1 << 31, 1 << 32, math.MaxInt64} {
		for _, d := range []int64{-1, 0, 1} {
			if v := b + d; v >= 0 {
				out = append(out, v, -v, -v-1)
			}
		}
	}
	return append(out, math.MinInt64)
}

func byLibrary(t *testing.T, encode func(*msgpack.Encoder) error) []byte {
	t.Helper()
	var buf bytes.Buffer
	enc := msgpack.NewEncoder(&buf)
	enc.UseCompactInts(true)
	if err := encode(enc); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestAppend_IntegersEqualTheLibrary(t *testing.T) {
	for _, v := range borders() {
		if got, want := AppendInt(nil, v), byLibrary(t, func(e *msgpack.Encoder) error { return e.EncodeInt(v) }); !bytes.Equal(got, want) {
			t.Errorf("%d: %x, library %x", v, got, want)
		}
		u := uint64(v)
		if got, want := AppendUint(nil, u), byLibrary(t, func(e *msgpack.Encoder) error { return e.EncodeUint(u) }); !bytes.Equal(got, want) {
			t.Errorf("%d: %x, library %x", u, got, want)
		}
	}
}

func TestAppend_LengthsEqualTheLibrary(t *testing.T) {
	for _, n := range []int{0, 1, 15, 16, 31, 32, 255, 256, 65535, 65536} {
		text := strings.Repeat("x", n)
		for name, c := range map[string]struct {
			got    []byte
			encode func(*msgpack.Encoder) error
		}{
			"text":  {AppendString(nil, text), func(e *msgpack.Encoder) error { return e.EncodeString(text) }},
			"bytes": {AppendBytes(nil, []byte(text)), func(e *msgpack.Encoder) error { return e.EncodeBytes([]byte(text)) }},
			"list":  {AppendArrayLen(nil, n), func(e *msgpack.Encoder) error { return e.EncodeArrayLen(n) }},
			"map":   {AppendMapLen(nil, n), func(e *msgpack.Encoder) error { return e.EncodeMapLen(n) }},
		} {
			if want := byLibrary(t, c.encode); !bytes.Equal(c.got, want) {
				t.Errorf("%s of %d: head %x, library %x", name, n, c.got[:min(6, len(c.got))], want[:min(6, len(want))])
			}
		}
	}
}

func TestDecode_LengthsRoundTrip(t *testing.T) {
	type sized struct {
		Text  string   `kdom:"text"`
		Bytes []byte   `kdom:"bytes"`
		List  []bool   `kdom:"list"`
		Map   BinMap   `kdom:"map"`
		Texts []string `kdom:"texts"`
	}
	c := New[sized]()
	for _, n := range []int{0, 1, 15, 16, 31, 32, 63, 64, 65, 255, 256, 65535, 65536} {
		v := sized{Text: strings.Repeat("x", n), Bytes: make([]byte, n), List: make([]bool, n)}
		for i := range min(n, 300) {
			v.Map.Set(fmt.Sprintf("%05d", i), nil)
		}
		b := c.Append(nil, &v)
		var back sized
		if err := c.DecodeCanonical(b, &back); err != nil {
			t.Fatalf("length %d: %v", n, err)
		}
		if back.Text != v.Text || len(back.Bytes) != n || len(back.List) != n || len(back.Map) != len(v.Map) {
			t.Errorf("length %d comes back as %d, %d, %d, %d", n, len(back.Text), len(back.Bytes), len(back.List), len(back.Map))
		}
	}
}

func TestCodec_NumbersAtTheirBounds(t *testing.T) {
	for _, v := range []numbers{
		{},
		{math.MaxUint8, math.MaxUint16, math.MaxUint32, math.MaxUint64, math.MaxInt8, math.MaxInt16, math.MaxInt32, math.MaxInt64, math.MaxFloat32, math.MaxFloat64},
		{0, 0, 0, 0, math.MinInt8, math.MinInt16, math.MinInt32, math.MinInt64, -math.MaxFloat32, math.SmallestNonzeroFloat64},
		{127, 255, 65535, math.MaxUint32, -32, -128, -32768, math.MinInt32, 0.5, -0.1},
		{128, 256, 65536, math.MaxUint32 + 1, -33, -129, -32769, math.MinInt32 - 1, 1, 1},
	} {
		var back numbers
		if err := numbersCodec.DecodeCanonical(numbersCodec.Append(nil, &v), &back); err != nil || back != v {
			t.Errorf("%+v comes back as %+v, %v", v, back, err)
		}
		if err := numbersCodec.FromJSON(numbersCodec.AppendJSON(nil, &v), &back, nil); err != nil || back != v {
			t.Errorf("%+v comes back from JSON as %+v, %v", v, back, err)
		}
	}
}

func TestDecode_IntegersOutOfRange(t *testing.T) {
	type one struct {
		V int8 `kdom:"v"`
	}
	type wide struct {
		V int64 `kdom:"v"`
	}
	type unsigned struct {
		V uint64 `kdom:"v"`
	}
	small, large, plain := New[one](), New[wide](), New[unsigned]()
	with := func(v []byte) []byte { return append([]byte("\x81\xa1v"), v...) }
	var s one
	for v, ok := range map[int64]bool{127: true, 128: false, -128: true, -129: false, 0: true, 1 << 40: false, -1 << 40: false} {
		err := small.Decode(with(AppendInt(nil, v)), &s)
		if ok && (err != nil || int64(s.V) != v) || !ok && !errors.Is(err, &DecodeError{Kind: DecodeKindRange}) {
			t.Errorf("int8 %d: %d, %v", v, s.V, err)
		}
	}
	var w wide
	if err := large.Decode(with(AppendUint(nil, 1<<63)), &w); !errors.Is(err, &DecodeError{Kind: DecodeKindRange}) {
		t.Errorf("2^63 as int64: %v", err)
	}
	var u unsigned
	if err := plain.Decode(with([]byte{codeInt64, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}), &u); err != nil || u.V != math.MaxInt64 {
		t.Errorf("2^63-1 of the signed family as uint64: %d, %v", u.V, err)
	}
	if err := plain.Decode(with([]byte{codeInt8, 0xFF}), &u); !errors.Is(err, &DecodeError{Kind: DecodeKindRange}) {
		t.Errorf("-1 as uint64: %v", err)
	}
}

// Every prefix of a value is refused, and the error names the field in which it ends.
func TestDecode_RefusesEveryPrefix(t *testing.T) {
	v := numbers{1, 300, 70000, 1 << 40, -1, -300, -70000, -1 << 40, 0.5, 0.25}
	b := numbersCodec.Append(nil, &v)
	var back numbers
	for cut := range b {
		if err := numbersCodec.Decode(b[:cut], &back); err == nil {
			t.Errorf("the first %d of %d bytes decode", cut, len(b))
		}
	}
}

func TestDecode_DeclaredLengthsMustFit(t *testing.T) {
	type lists struct {
		L []uint16 `kdom:"l"`
		M BinMap   `kdom:"m"`
		T string   `kdom:"t"`
		B [2]byte  `kdom:"b"`
	}
	c := New[lists]()
	good := []string{"\xa1l\x92\x01\x02", "\xa1m\x81\xa1k\xc4\x01v", "\xa1t\xa1x", "\xa1b\xc4\x02ab"}
	join := func(i int, part string) []byte {
		parts := append([]string(nil), good...)
		if i >= 0 {
			parts[i] = part
		}
		return append([]byte{0x84}, strings.Join(parts, "")...)
	}
	var v lists
	if err := c.Decode(join(-1, ""), &v); err != nil || len(v.L) != 2 || v.B != [2]byte{'a', 'b'} {
		t.Fatalf("%+v, %v", v, err)
	}
	for name, c2 := range map[string]struct {
		body []byte
		kind DecodeKind
	}{
		"hash too short":         {join(3, "\xa1b\xc4\x01a"), DecodeKindLength},
		"hash too long":          {join(3, "\xa1b\xc4\x03abc"), DecodeKindLength},
		"last text exactly over": {append([]byte{0x84}, "\xa1l\x90\xa1m\x80\xa1b\xc4\x02ab\xa1t\xa2x"...), DecodeKindLength},
		"last list exactly over": {append([]byte{0x84}, "\xa1t\xa1x\xa1m\x80\xa1b\xc4\x02ab\xa1l\x92\x01"...), DecodeKindLength},
		"last map exactly over":  {append([]byte{0x84}, "\xa1t\xa1x\xa1l\x90\xa1b\xc4\x02ab\xa1m\x82\xa1k\xc4"...), DecodeKindLength},
		"map as list":            {join(1, "\xa1m\x90"), DecodeKindType},
		"list as map":            {join(0, "\xa1l\x80"), DecodeKindType},
	} {
		if err := c.Decode(c2.body, &v); !errors.Is(err, &DecodeError{Kind: c2.kind}) {
			t.Errorf("%s: %v, want %s", name, err, c2.kind)
		}
	}
}

func TestCodec_WritesOnlyUTF8(t *testing.T) {
	type words struct {
		S string `kdom:"s"`
		M BinMap `kdom:"m"`
	}
	c := New[words]()
	v := words{S: "bad \xff\xfe byte", M: BinMap{{"k\xff", []byte{1}}}}
	var back words
	if err := c.Decode(c.Append(nil, &v), &back); err != nil {
		t.Fatalf("what was written cannot be read: %v", err)
	}
	if back.S != "bad \uFFFD byte" || back.M[0].Key != "k\uFFFD" {
		t.Errorf("comes back as %+v", back)
	}
	if CleanText("plain ä") != "plain ä" {
		t.Error("clean text must stay as it is")
	}
}
