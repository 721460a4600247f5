package codec

import (
	"errors"
	"math"
	"strings"
	"testing"
)

type strictSample struct {
	Small  uint8    `kdom:"small"`
	Score  float32  `kdom:"score"`
	Name   string   `kdom:"name"`
	Raw    []byte   `kdom:"raw"`
	Maybe  *uint64  `kdom:"maybe"`
	Role   testRole `kdom:"role"`
	Kinder []uint16 `kdom:"kinder"`
}

var strictCodec = New[strictSample]()

// A body in hand-written MessagePack, key by key, so that each case can bend one piece.
var strictParts = []string{
	"\xa5small\x05", "\xa5score\xca\x3f\x00\x00\x00", "\xa4name\xa1x", "\xa3raw\xc4\x01\xff",
	"\xa5maybe\xc0", "\xa4role\xa9LIBRARIAN", "\xa6kinder\x91\x07",
}

type testRole uint8

func (testRole) EnumNames() []string { return []string{"ARCHITECT", "LIBRARIAN"} }

func bodyOf(parts []string) []byte {
	return append(AppendMapLen(nil, len(parts)), strings.Join(parts, "")...)
}

func replaced(i int, part string) []byte {
	parts := append([]string(nil), strictParts...)
	parts[i] = part
	return bodyOf(parts)
}

func TestDecode_BodyRules(t *testing.T) {
	swapped := append([]string(nil), strictParts...)
	swapped[0], swapped[6] = swapped[6], swapped[0]
	cases := []struct {
		name string
		body []byte
		kind DecodeKind // 0 = accepted
		path string
	}{
		{"canonical", bodyOf(strictParts), 0, ""},
		{"any key order", bodyOf(swapped), 0, ""},
		{"optional key absent", bodyOf(append(append([]string(nil), strictParts[:4]...), strictParts[5:]...)), 0, ""},
		{"wide integer", replaced(0, "\xa5small\xcd\x00\x05"), 0, ""},
		{"signed family", replaced(0, "\xa5small\xd0\x05"), 0, ""},
		{"required key absent", bodyOf(strictParts[1:]), DecodeKindMissingField, "small"},
		{"unknown key", bodyOf(append(append([]string(nil), strictParts...), "\xa3new\x01")), DecodeKindUnknownField, "new"},
		{"unknown key of 32 bytes", bodyOf(append(append([]string(nil), strictParts...), "\xd9\x20"+strings.Repeat("k", 32)+"\x01")), DecodeKindUnknownField, strings.Repeat("k", 32)},
		{"longer unknown key", bodyOf(append(append([]string(nil), strictParts...), "\xd9\x21"+strings.Repeat("k", 33)+"\x01")), DecodeKindUnknownField, ""},
		{"double key", bodyOf(append(append([]string(nil), strictParts...), strictParts[0])), DecodeKindDuplicateField, "small"},
		{"trailing byte", append(bodyOf(strictParts), 0xC0), DecodeKindTrailing, ""},
		{"nil for a required field", replaced(0, "\xa5small\xc0"), DecodeKindType, "small"},
		{"integer too large", replaced(0, "\xa5small\xcd\x01\x00"), DecodeKindRange, "small"},
		{"signed integer too large", replaced(0, "\xa5small\xd1\x01\x00"), DecodeKindRange, "small"},
		{"map for an integer", replaced(0, "\xa5small\x80"), DecodeKindType, "small"},
		{"negative integer", replaced(0, "\xa5small\xff"), DecodeKindRange, "small"},
		{"float for an integer", replaced(0, "\xa5small\xca\x3f\x80\x00\x00"), DecodeKindType, "small"},
		{"integer for a float", replaced(1, "\xa5score\x01"), DecodeKindType, "score"},
		{"f64 for an f32", replaced(1, "\xa5score\xcb\x3f\xe0\x00\x00\x00\x00\x00\x00"), DecodeKindType, "score"},
		{"NaN", replaced(1, "\xa5score\xca\x7f\xc0\x00\x00"), DecodeKindValue, "score"},
		{"infinity", replaced(1, "\xa5score\xca\x7f\x80\x00\x00"), DecodeKindValue, "score"},
		{"bin for text", replaced(2, "\xa4name\xc4\x01x"), DecodeKindType, "name"},
		{"text that is not UTF-8", replaced(2, "\xa4name\xa1\xff"), DecodeKindValue, "name"},
		{"text for bin", replaced(3, "\xa3raw\xa1x"), DecodeKindType, "raw"},
		{"list of integers for bin", replaced(3, "\xa3raw\x91\x01"), DecodeKindType, "raw"},
		{"length beyond the input", replaced(3, "\xa3raw\xc6\xff\xff\xff\xff"), DecodeKindLength, "raw"},
		{"list length beyond the input", replaced(6, "\xa6kinder\xdd\xff\xff\xff\xff"), DecodeKindLength, "kinder"},
		{"unknown enum name", replaced(5, "\xa4role\xa4KING"), DecodeKindValue, "role"},
		{"enum in lower case", replaced(5, "\xa4role\xa9librarian"), DecodeKindValue, "role"},
		{"item too large", replaced(6, "\xa6kinder\x92\x07\xce\x00\x01\x00\x00"), DecodeKindRange, "kinder[1]"},
		{"map length beyond the input", []byte("\xde\x00\x04\xa5small\x05"), DecodeKindLength, ""},
		{"not a map", []byte{0x90}, DecodeKindType, ""},
		{"empty input", nil, DecodeKindSyntax, ""},
		{"extension type", replaced(4, "\xa5maybe\xd4\x01\x00"), DecodeKindType, "maybe"},
		{"integer key", append(AppendMapLen(nil, 1), 0x01, 0x01), DecodeKindType, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var v strictSample
			err := strictCodec.Decode(c.body, &v)
			if c.kind == 0 {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var d *DecodeError
			if !errors.As(err, &d) || d.Kind != c.kind || d.Field != c.path {
				t.Fatalf("got %v, want %s at %q", err, c.kind, c.path)
			}
			if !strings.Contains(d.Error(), "decode strictSample") {
				t.Errorf("the error does not name the operation: %v", d)
			}
		})
	}
}

func TestDecodeCanonical_RefusesOtherForms(t *testing.T) {
	var v strictSample
	if err := strictCodec.DecodeCanonical(bodyOf(strictParts), &v); err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string][]byte{
		"wide integer":     replaced(0, "\xa5small\xcd\x00\x05"),
		"negative zero":    replaced(1, "\xa5score\xca\x80\x00\x00\x00"),
		"long text length": replaced(2, "\xa4name\xd9\x01x"),
		"map of 16 bits":   append([]byte("\xde\x00\x07"), bodyOf(strictParts)[1:]...),
		"map of 32 bits":   append([]byte("\xdf\x00\x00\x00\x07"), bodyOf(strictParts)[1:]...),
		"list of 16 bits":  replaced(6, "\xa6kinder\xdc\x00\x01\x07"),
		"list of 32 bits":  replaced(6, "\xa6kinder\xdd\x00\x00\x00\x01\x07"),
		"bytes of 16 bits": replaced(3, "\xa3raw\xc5\x00\x01\xff"),
		"text of 32 bits":  replaced(2, "\xa4name\xdb\x00\x00\x00\x01x"),
		"other key order":  bodyOf(append(append([]string(nil), strictParts[1:]...), strictParts[0])),
	} {
		if err := strictCodec.Decode(body, &v); err != nil {
			t.Errorf("%s: a body may hold it, got %v", name, err)
		}
		if err := strictCodec.DecodeCanonical(body, &v); !errors.Is(err, &DecodeError{Kind: DecodeKindNotCanonical}) {
			t.Errorf("%s: got %v, want not canonical", name, err)
		}
	}
}

func TestDecode_NegativeZeroBecomesZero(t *testing.T) {
	var v strictSample
	if err := strictCodec.Decode(replaced(1, "\xa5score\xca\x80\x00\x00\x00"), &v); err != nil {
		t.Fatal(err)
	}
	if bits := math.Float32bits(v.Score); bits != 0 {
		t.Errorf("bits = %x, want 0", bits)
	}
	if b := AppendFloat64(nil, math.Copysign(0, -1)); string(b) != "\xcb\x00\x00\x00\x00\x00\x00\x00\x00" {
		t.Errorf("-0 encodes as %x", b)
	}
}

// The error names what a reader can act on: names, bounds and lengths in full.
func TestDecodeError_NamesWhatIsWanted(t *testing.T) {
	type bounds struct {
		I8   int8     `kdom:"i8,default"`
		I64  int64    `kdom:"i64,default"`
		U16  uint16   `kdom:"u16,default"`
		Sum  [32]byte `kdom:"sum,default"`
		Who  person   `kdom:"who,default"`
		Few  []uint8  `kdom:"few,default,max=1"`
		Role testRole `kdom:"role,default"`
	}
	for raw, want := range map[string]string{
		`{"i8":128}`:         "an integer from -128 to 127",
		`{"i64":1e30}`:       "an integer from -9223372036854775808 to 9223372036854775807",
		`{"u16":65536}`:      "an integer from 0 to 65535",
		`{"sum":"0a"}`:       "64 hex digits",
		`{"sum":"aabbccdd"}`: "64 hex digits",
		`{"who":"0a"}`:       "an agent id of 64 hex digits or its 8-digit alias",
		`{"role":"KING"}`:    "one of ARCHITECT, LIBRARIAN",
		`{"other":1}`:        "only i8, i64, u16, sum, who, few, role",
	} {
		err := New[bounds]().FromJSON([]byte(raw), &bounds{}, nil)
		var d *DecodeError
		if !errors.As(err, &d) || d.Want != want {
			t.Errorf("%s: %v, want %q", raw, err, want)
		}
	}
	var d *DecodeError
	if err := treeCodec.FromJSON([]byte(`"ROOT"`), &tree{}, nil); !errors.As(err, &d) || d.Want != "one of LEAF, NODE" {
		t.Errorf("an unknown variant: %v", err)
	}
	if err := New[struct{}]().FromJSON([]byte(`{"a":1}`), &struct{}{}, nil); !errors.As(err, &d) || d.Want != "no field" {
		t.Errorf("a key of a struct without fields: %v", err)
	}
}

// tree is a recursive union: a leaf, or a list of trees.
type tree struct {
	Leaf bool    `kdom:"LEAF"`
	Node *branch `kdom:"NODE"`
}

func (tree) Union() {}

type branch struct {
	Children []tree `kdom:"children"`
}

var treeCodec = New[tree]()

// deepTree nests n branches; the reader counts three levels for each: union, struct, list.
func deepTree(n int) tree {
	t := tree{Leaf: true}
	for range n {
		t = tree{Node: &branch{[]tree{t}}}
	}
	return t
}

func TestDecode_NestingIsBounded(t *testing.T) {
	deepest := (maxDepth - 1) / 3
	for n, ok := range map[int]bool{1: true, deepest: true, deepest + 1: false, 200: false} {
		v := deepTree(n)
		var back tree
		err := treeCodec.Decode(treeCodec.Append(nil, &v), &back)
		if ok != (err == nil) || !ok && !errors.Is(err, &DecodeError{Kind: DecodeKindRange}) {
			t.Errorf("%d branches: %v", n, err)
		}
	}
	side := tree{Node: &branch{make([]tree, 100)}} // siblings are not nested
	for i := range side.Node.Children {
		side.Node.Children[i] = deepTree(1)
	}
	var back tree
	if err := treeCodec.Decode(treeCodec.Append(nil, &side), &back); err != nil {
		t.Errorf("a hundred siblings: %v", err)
	}
}

func TestAppend_PanicsOnBrokenInvariants(t *testing.T) {
	for name, do := range map[string]func(){
		"enum without value": func() { strictCodec.Append(nil, &strictSample{}) },
		"NaN":                func() { AppendFloat64(nil, math.NaN()) },
		"infinity":           func() { AppendFloat32(nil, float32(math.Inf(1))) },
		"empty union":        func() { treeCodec.Append(nil, &tree{}) },
		"double union":       func() { treeCodec.Append(nil, &tree{Leaf: true, Node: &branch{}}) },
		"untagged field":     func() { New[struct{ A uint8 }]() },
		"bound of zero": func() {
			New[struct {
				A []uint8 `kdom:"a,max=0"`
			}]()
		},
		"map field": func() {
			New[struct {
				A map[string]int `kdom:"a"`
			}]()
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("did not panic")
				}
			}()
			do()
		})
	}
}

func TestDecodeKeyed(t *testing.T) {
	one, two := "\xc4\x02\x00\x01", "\xc4\x02\x00\x02"
	value := string(bodyOf(strictParts))
	ends := errors.New("enough")
	for _, tc := range []struct {
		name, in string
		fail     error
		want     string // part of the error
		pairs    int
	}{
		{"none", "\x80", nil, "", 0},
		{"two", "\x82" + one + value + two + value, nil, "", 2},
		{"a longer head", "\xde\x00\x02" + one + value + two + value, nil, "", 2},
		{"a list", "\x91" + one, nil, "want a map", 0},
		{"a text as key", "\x81\xa2id" + value, nil, "want bytes", 0},
		{"a bad value", "\x81" + one + "\x05", nil, "want a map", 0},
		{"more than it says", "\x81" + one + value + two, nil, "trailing", 1},
		{"fewer than it says", "\x82" + one + value, nil, "the input ends", 1},
		{"the caller's error", "\x82" + one + value + two + value, ends, "enough", 1},
	} {
		pairs := 0
		err := strictCodec.DecodeKeyed([]byte(tc.in), func(key []byte, v *strictSample) error {
			if pairs++; len(key) != 2 || key[1] != byte(pairs) || v.Small != 5 {
				t.Errorf("%s: pair %d is %x, %+v", tc.name, pairs, key, v)
			}
			return tc.fail
		})
		if pairs != tc.pairs || (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %d pairs, %v; want %d, %q", tc.name, pairs, err, tc.pairs, tc.want)
		}
	}
}
