package codec

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// fields has a field for each way in which a struct's keys may be there or not.
type fields struct {
	Flag  bool       `kdom:"flag"`
	Sent  uint64     `kdom:"sent,runtime"`
	Late  uint16     `kdom:"late,opt"`
	Odds  *float32   `kdom:"odds,unit"`
	Roles []testRole `kdom:"roles"`
	Pick  choice     `kdom:"pick"`
}

// choice has two variants of each kind, and one that is a choice again.
type choice struct {
	A     bool    `kdom:"A"`
	B     bool    `kdom:"B"`
	X     *branch `kdom:"X"`
	Y     *branch `kdom:"Y"`
	Again *choice `kdom:"AGAIN"`
}

func (choice) Union() {}

var fieldsCodec = New[fields]()

// How a zero or absent field is encoded: an opt field is left out on the wire and in JSON, a runtime field in JSON
// only, an optional one is nil on the wire and left out in JSON.
func TestFields_ZeroAndAbsentOnWireAndInJSON(t *testing.T) {
	half := float32(0.5)
	for _, c := range []struct {
		name       string
		v          fields
		wire, json string
	}{
		{
			"nothing set",
			fields{Pick: choice{B: true}},
			"\x85\xa4flag\xc2\xa4sent\x00\xa4odds\xc0\xa5roles\x90\xa4pick\xa1B",
			`{"flag":false,"roles":[],"pick":"B"}`,
		},
		{
			"everything set",
			fields{Flag: true, Sent: 7, Late: 3, Odds: &half, Roles: []testRole{2, 1}, Pick: choice{Y: &branch{}}},
			"\x86\xa4flag\xc3\xa4sent\x07\xa4late\x03\xa4odds\xca\x3f\x00\x00\x00\xa5roles\x92\xa9LIBRARIAN\xa9ARCHITECT\xa4pick\x81\xa1Y\x81\xa8children\x90",
			`{"flag":true,"late":3,"odds":0.5,"roles":["LIBRARIAN","ARCHITECT"],"pick":{"Y":{"children":[]}}}`,
		},
		{
			"a choice of a choice",
			fields{Pick: choice{Again: &choice{A: true}}},
			"\x85\xa4flag\xc2\xa4sent\x00\xa4odds\xc0\xa5roles\x90\xa4pick\x81\xa5AGAIN\xa1A",
			`{"flag":false,"roles":[],"pick":{"AGAIN":"A"}}`,
		},
	} {
		if got := fieldsCodec.Append(nil, &c.v); string(got) != c.wire {
			t.Errorf("%s: on the wire %q, want %q", c.name, got, c.wire)
		}
		if got := fieldsCodec.AppendJSON(nil, &c.v); string(got) != c.json {
			t.Errorf("%s: in JSON %s, want %s", c.name, got, c.json)
		}
		var back fields
		if err := fieldsCodec.DecodeCanonical([]byte(c.wire), &back); err != nil || string(fieldsCodec.Append(nil, &back)) != c.wire {
			t.Errorf("%s: read from the wire as %+v, %v", c.name, back, err)
		}
		c.v.Sent = 0 // JSON does not say it
		if err := fieldsCodec.FromJSON([]byte(c.json), &back, nil); err != nil || string(fieldsCodec.Append(nil, &back)) != string(fieldsCodec.Append(nil, &c.v)) {
			t.Errorf("%s: read from JSON as %+v, %v", c.name, back, err)
		}
	}
}

func TestFields_Refusals(t *testing.T) {
	for _, c := range []struct {
		name, raw, field string
		kind             DecodeKind
	}{
		{"a runtime field", `{"flag":true,"roles":[],"pick":"A","sent":1}`, "sent", DecodeKindUnknownField},
		{"odds above one", `{"flag":true,"odds":1.5,"roles":[],"pick":"A"}`, "odds", DecodeKindRange},
		{"no flag", `{"roles":[],"pick":"A"}`, "flag", DecodeKindMissingField},
		{"a flag in quotes", `{"flag":"true","roles":[],"pick":"A"}`, "flag", DecodeKindType},
		{"two variants", `{"flag":true,"roles":[],"pick":{"X":{"children":[]},"Y":{"children":[]}}}`, "pick.Y", DecodeKindValue},
		{"a number with a point", `{"flag":true,"late":1.0,"roles":[],"pick":"A"}`, "late", DecodeKindType},
		{"a number with e", `{"flag":true,"late":1e1,"roles":[],"pick":"A"}`, "late", DecodeKindType},
		{"a number with E", `{"flag":true,"late":1E1,"roles":[],"pick":"A"}`, "late", DecodeKindType},
		{"a number too large", `{"flag":true,"late":65536,"roles":[],"pick":"A"}`, "late", DecodeKindRange},
	} {
		var d *DecodeError
		if err := fieldsCodec.FromJSON([]byte(c.raw), &fields{}, nil); !errors.As(err, &d) || d.Kind != c.kind || d.Field != c.field {
			t.Errorf("%s: %v, want %s of %s", c.name, err, c.kind, c.field)
		}
	}
	const head, tail = "\xa4flag\xc2\xa4sent\x00\xa4odds\xc0\xa5roles\x90", "\xa4pick\xa1A"
	for name, c := range map[string]struct {
		body  string
		field string
		kind  DecodeKind
	}{
		"opt field that is zero":     {"\x86" + head + "\xa4late\x00" + tail, "late", DecodeKindNotCanonical},
		"no runtime field":           {"\x84\xa4flag\xc2\xa4odds\xc0\xa5roles\x90" + tail, "sent", DecodeKindMissingField},
		"payload of a unit variant":  {"\x85" + head + "\xa4pick\x81\xa1A\xc3", "pick", DecodeKindValue},
		"name of a payload variant":  {"\x85" + head + "\xa4pick\xa1X", "pick", DecodeKindValue},
		"nil for a payload":          {"\x85" + head + "\xa4pick\x81\xa1X\xc0", "pick.X", DecodeKindType},
		"unknown variant":            {"\x85" + head + "\xa4pick\xa1C", "pick", DecodeKindValue},
		"two variants":               {"\x85" + head + "\xa4pick\x82\xa1X\x80\xa1Y\x80", "pick", DecodeKindLength},
		"a roll of bytes for a list": {"\x85\xa4flag\xc2\xa4sent\x00\xa4odds\xc0\xa5roles\xc4\x01\x01" + tail, "roles", DecodeKindType},
	} {
		var d *DecodeError
		if err := fieldsCodec.Decode([]byte(c.body), &fields{}); !errors.As(err, &d) || d.Kind != c.kind || d.Field != c.field {
			t.Errorf("%s: %v, want %s of %s", name, err, c.kind, c.field)
		}
	}
}

// A value that is decoded into does not shine through.
func TestDecode_IntoAUsedValue(t *testing.T) {
	half := float32(0.5)
	used := func() fields {
		return fields{Flag: true, Sent: 7, Late: 3, Odds: &half, Roles: []testRole{2, 1}, Pick: choice{Y: &branch{Children: []tree{{Leaf: true}}}}}
	}
	want := fields{Pick: choice{A: true}}
	body, raw := fieldsCodec.Append(nil, &want), fieldsCodec.AppendJSON(nil, &want)
	a, b := used(), used()
	if err := fieldsCodec.Decode(body, &a); err != nil || string(fieldsCodec.Append(nil, &a)) != string(body) {
		t.Errorf("from the wire: %+v, %v", a, err)
	}
	if err := fieldsCodec.FromJSON(raw, &b, nil); err != nil || string(fieldsCodec.Append(nil, &b)) != string(body) {
		t.Errorf("from JSON: %+v, %v", b, err)
	}
	trees := []tree{{Leaf: true}, {Leaf: true}}
	if err := treesCodec.Decode([]byte{0x90}, &trees); err != nil || len(trees) != 0 {
		t.Errorf("an empty list: %+v, %v", trees, err)
	}
	trees = []tree{{Leaf: true}, {Leaf: true}}
	if err := treesCodec.FromJSON([]byte("[]"), &trees, nil); err != nil || len(trees) != 0 {
		t.Errorf("an empty list of JSON: %+v, %v", trees, err)
	}
}

func TestShape_OfEachField(t *testing.T) {
	s := fieldsCodec.Shape()
	var required, runtime []string
	for _, f := range s.Fields {
		if f.Required {
			required = append(required, f.Name)
		}
		if f.Runtime {
			runtime = append(runtime, f.Name)
		}
	}
	if got := strings.Join(required, " ") + "; " + strings.Join(runtime, " "); got != "flag roles pick; sent" {
		t.Errorf("required and runtime fields are %s", got)
	}
	var variants []string
	for _, f := range s.Field("pick").Fields {
		name := f.Name
		if f.Shape != nil {
			name += "+"
		}
		variants = append(variants, name)
	}
	if got := strings.Join(variants, " "); got != "A B X+ Y+ AGAIN+" {
		t.Errorf("variants of the choice are %s", got)
	}
	if p := postCodec.Shape(); p.Field("body").Kind != ShapeObject || p.Field("more").Kind != ShapeBlocks {
		t.Errorf("object fields have the shapes %v and %v", p.Field("body").Kind, p.Field("more").Kind)
	}
	if !reflect.DeepEqual(s, fieldsCodec.Shape()) {
		t.Error("a second look differs")
	}
}

// Every form of an integer is read that holds it, and none that is no integer.
func TestDecode_IntegerForms(t *testing.T) {
	type numbers struct {
		U uint8 `kdom:"u"`
		I int8  `kdom:"i"`
	}
	c := New[numbers]()
	const ok = DecodeKind(0)
	for _, tc := range []struct {
		value    string
		unsigned DecodeKind
		signed   DecodeKind
	}{
		{"\x05", ok, ok},
		{"\xcc\x05", ok, ok},
		{"\xcd\x00\x05", ok, ok},
		{"\xce\x00\x00\x00\x05", ok, ok},
		{"\xcf\x00\x00\x00\x00\x00\x00\x00\x05", ok, ok},
		{"\xd0\x05", ok, ok},
		{"\xd1\x00\x05", ok, ok},
		{"\xd2\x00\x00\x00\x05", ok, ok},
		{"\xd3\x00\x00\x00\x00\x00\x00\x00\x05", ok, ok},
		{"\xff", DecodeKindRange, ok},
		{"\xe0", DecodeKindRange, ok},
		{"\xd0\x80", DecodeKindRange, ok},
		{"\xd1\xff\x7f", DecodeKindRange, DecodeKindRange},
		{"\xcc\x7f", ok, ok},
		{"\xcc\x80", ok, DecodeKindRange},
		{"\xd1\x00\xff", ok, DecodeKindRange},
		{"\xcd\x01\x00", DecodeKindRange, DecodeKindRange},
		{"\xd1\x01\x00", DecodeKindRange, DecodeKindRange},
		{"\xcf\xff\xff\xff\xff\xff\xff\xff\xff", DecodeKindRange, DecodeKindRange},
		{"\x80", DecodeKindType, DecodeKindType},
		{"\x90", DecodeKindType, DecodeKindType},
		{"\xa1x", DecodeKindType, DecodeKindType},
		{"\xc0", DecodeKindType, DecodeKindType},
		{"\xc3", DecodeKindType, DecodeKindType},
		{"\xc4\x01\x05", DecodeKindType, DecodeKindType},
		{"\xca\x40\xa0\x00\x00", DecodeKindType, DecodeKindType},
		{"\xd4\x01\x05", DecodeKindType, DecodeKindType},
		{"\xd9\x01x", DecodeKindType, DecodeKindType},
		{"\xdc\x00\x00", DecodeKindType, DecodeKindType},
	} {
		for field, want := range map[string]DecodeKind{"u": tc.unsigned, "i": tc.signed} {
			body := "\x82\xa1u" + tc.value + "\xa1i\x00"
			if field == "i" {
				body = "\x82\xa1i" + tc.value + "\xa1u\x00"
			}
			var d *DecodeError
			err := c.Decode([]byte(body), &numbers{})
			if (err == nil) != (want == ok) || err != nil && (!errors.As(err, &d) || d.Kind != want || d.Field != field) {
				t.Errorf("%x as %s: %v, want %v", tc.value, field, err, want)
			}
		}
	}
}
