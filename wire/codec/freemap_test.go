package codec

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// post has an object field of each form, chosen by its mode.
type post struct {
	Mode string `kdom:"mode"`
	Body []byte `kdom:"body,object"`
	More []byte `kdom:"more,blocks"`
}

func (p *post) ObjectForm(field string) ObjectForm {
	if field == "more" {
		return ObjectForm{Typed: treesCodec, List: true}
	}
	switch p.Mode {
	case "typed":
		return ObjectForm{Typed: treeBranchCodec}
	case "text":
		return ObjectForm{Text: func(s string) []byte { return AppendString([]byte{0x81, 0xA1, 't'}, s) }}
	}
	return ObjectForm{}
}

var (
	treesCodec      = New[[]tree]()
	treeBranchCodec = New[branch]()
	postCodec       = New[post]()
)

func TestObjectFields_FromJSON(t *testing.T) {
	for _, c := range []struct{ name, mode, body, want string }{
		{
			"free map", "free", `{"z":1,"a":[-1,2.0,null,true,false,"hex:00","b64:aGk=","x"],"m":{"k":1e300}}`,
			"\x83\xa1a\x98\xff\xcb\x40\x00\x00\x00\x00\x00\x00\x00\xc0\xc3\xc2\xc4\x01\x00\xc4\x02hi\xa1x\xa1m\x81\xa1k\xcb\x7e\x37\xe4\x3c\x88\x00\x75\x9c\xa1z\x01",
		},
		{
			"integers of any size", "free", `{"a":18446744073709551615,"b":-9223372036854775808,"c":18446744073709551616}`,
			"\x83\xa1a\xcf\xff\xff\xff\xff\xff\xff\xff\xff\xa1b\xd3\x80\x00\x00\x00\x00\x00\x00\x00\xa1c\xcb\x43\xf0\x00\x00\x00\x00\x00\x00",
		},
		{"empty", "free", `{}`, "\x80"},
		{"empty list", "free", `{"a":[]}`, "\x81\xa1a\x90"},
		{"free text as bytes", "free", `"hex:ff"`, "\xff"},
		{"free text as itself", "free", `"hi"`, "hi"},
		{"text", "text", `"hi"`, "\x81\xa1t\xa2hi"},
		{"hex without digits", "free", `"hex:"`, ""},
		{"base64 without digits", "text", `"b64:"`, ""},
		{"text of three letters", "text", `"hex"`, "\x81\xa1t\xa3hex"},
		{"text with a colon", "text", `"you: hi"`, "\x81\xa1t\xa7you: hi"},
		{"text with a prefix", "text", `"b64:aGk="`, "hi"},
		{"text with an unknown prefix", "text", `"abc:d"`, "\x81\xa1t\xa5abc:d"},
		{"typed", "typed", `{"children":["LEAF"]}`, "\x81\xa8children\x91\xa4LEAF"},
		{"typed as bytes", "typed", `"hex:80"`, "\x80"},
	} {
		var p post
		raw := `{"more":["LEAF"],"body":` + c.body + `,"mode":"` + c.mode + `"}` // the mode comes last
		if err := postCodec.FromJSON([]byte(raw), &p, nil); err != nil || string(p.Body) != c.want || string(p.More) != "\x91\xa4LEAF" {
			t.Errorf("%s: %q and %q, %v", c.name, p.Body, p.More, err)
		}
	}
	for _, c := range []struct {
		name, mode, body, field string
		kind                    DecodeKind
	}{
		{"number", "free", `7`, "body", DecodeKindType},
		{"list", "free", `[]`, "body", DecodeKindType},
		{"list for typed", "typed", `[]`, "body", DecodeKindType},
		{"wrong field", "typed", `{"kids":[]}`, "body.kids", DecodeKindUnknownField},
		{"double key", "free", `{"a":{"b":1,"b":1}}`, "body.a.b", DecodeKindDuplicateField},
		{"number too large", "free", `{"a":1e999}`, "body.a", DecodeKindRange},
		{"bad hex", "free", `{"a":"hex:0"}`, "body.a", DecodeKindValue},
		{"bad base64", "free", `"b64:*"`, "body", DecodeKindValue},
	} {
		var p post
		var d *DecodeError
		err := postCodec.FromJSON([]byte(`{"mode":"`+c.mode+`","body":`+c.body+`,"more":[]}`), &p, nil)
		if !errors.As(err, &d) || d.Kind != c.kind || d.Field != c.field {
			t.Errorf("%s: %v, want %s of %s", c.name, err, c.kind, c.field)
		}
	}
	for raw, want := range map[string]string{
		`{"mode":"free","body":[],"more":[]}`:        "text or an object",
		`{"mode":"typed","body":[],"more":[]}`:       "text or an object",
		`{"mode":"typed","body":7,"more":[]}`:        "text or an object",
		`{"mode":"typed","body":"hex:80","more":{}}`: "text or a list",
		`{"mode":"typed","body":"hex:80","more":7}`:  "text or a list",
	} {
		var d *DecodeError
		if err := postCodec.FromJSON([]byte(raw), &post{}, nil); !errors.As(err, &d) || d.Want != want {
			t.Errorf("%s: %v, want %s", raw, err, want)
		}
	}
	var p post
	if err := postCodec.FromJSON([]byte(`{"mode":"free","body":{},"more":{}}`), &p, nil); !errors.Is(err, &DecodeError{Kind: DecodeKindType}) {
		t.Errorf("an object for blocks: %v", err)
	}
	if err := postCodec.FromJSON([]byte(`{"mode":"free","body":{}}`), &p, nil); !errors.Is(err, &DecodeError{Kind: DecodeKindMissingField}) {
		t.Errorf("a missing object: %v", err)
	}
}

func TestObjectFields_ShownAsJSON(t *testing.T) {
	for _, c := range []struct{ name, mode, body, want string }{
		{"free map", "free", "\x82\xa1a\x93\xff\xc0\xc4\x01\x00\xa1b\x83\xa1c\xc3\xa1d\xcb\x40\x00\x00\x00\x00\x00\x00\x00\xa1e\xca\x3f\x00\x00\x00", `{"a":[-1,null,"hex:00"],"b":{"c":true,"d":2.0,"e":0.5}}`},
		{"large number", "free", "\x81\xa1a\xcb\x7e\x37\xe4\x3c\x88\x00\x75\x9c", `{"a":1e+300}`},
		{"empty", "free", "\x80", `{}`},
		{"no map", "free", "\x90", `"hex:90"`},
		{"text", "free", "hello", `"hello"`},
		{"short text", "free", "hi", `"hi"`},
		{"text like a prefix", "free", "hex:", `"hex:6865783a"`},
		{"text like the other prefix", "free", "b64:", `"hex:6236343a"`},
		{"text with a colon", "free", "abc:", `"abc:"`},
		{"not sorted", "free", "\x82\xa1b\x01\xa1a\x01", `"hex:82a16201a16101"`},
		{"typed", "typed", "\x81\xa8children\x90", `{"children":[]}`},
		{"not of the type", "typed", "\x80", `"hex:80"`},
	} {
		p := post{Mode: c.mode, Body: []byte(c.body), More: []byte{0x90}}
		want := `{"mode":"` + c.mode + `","body":` + c.want + `,"more":[]}`
		if got := string(postCodec.AppendJSON(nil, &p)); got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
}

func TestCheckFreeMap_Conditions(t *testing.T) {
	deep := func(n int) string {
		return "\x81\xa1a" + strings.Repeat("\x91", n) + "\x01"
	}
	for name, c := range map[string]struct {
		b  string
		ok bool
	}{
		"empty":           {"\x80", true},
		"sorted":          {"\x82\xa1a\x01\xa1b\x01", true},
		"empty first key": {"\x82\xa0\x01\xa1a\x01", true},
		"empty key twice": {"\x82\xa0\x01\xa0\x01", false},
		"unsorted":        {"\x82\xa1b\x01\xa1a\x01", false},
		"double":          {"\x82\xa1a\x01\xa1a\x01", false},
		"nested unsorted": {"\x81\xa1a\x91\x82\xa1b\x01\xa1a\x01", false},
		"list":            {"\x90", false},
		"nothing":         {"", false},
		"wide integer":    {"\x81\xa1a\xcc\x01", false},
		"long text":       {"\x81\xa1a\xd9\x01x", false},
		"signed family":   {"\x81\xa1a\xd0\x01", false},
		"trailing":        {"\x80\xc0", false},
		"extension":       {"\x81\xa1a\xd4\x01\x00", false},
		"integer key":     {"\x81\x01\x01", false},
		"NaN":             {"\x81\xa1a\xca\x7f\xc0\x00\x00", false},
		"minus zero":      {"\x81\xa1a\xca\x80\x00\x00\x00", false},
		"bad UTF-8":       {"\x81\xa1a\xa1\xff", false},
		"all scalars":     {"\x87\xa1a\xc0\xa1b\xc2\xa1c\xc3\xa1d\xca\x3f\x00\x00\x00\xa1e\xcb\x3f\xe0\x00\x00\x00\x00\x00\x00\xa1f\xc4\x00\xa1g\xff", true},
		"63 lists":        {deep(63), true},
		"64 lists":        {deep(64), false},
	} {
		if err := CheckFreeMap([]byte(c.b)); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	for cut := range len("\x82\xa1a\x92\xc0\x01\xa1b\xa1x") {
		if CheckFreeMap([]byte("\x82\xa1a\x92\xc0\x01\xa1b\xa1x"[:cut])) == nil {
			t.Errorf("the first %d bytes are a free map", cut)
		}
	}
}

func TestCheckFreeMap_SaysWhatIsWrong(t *testing.T) {
	for b, want := range map[string]DecodeKind{
		"\x90": DecodeKindType, "\x80\xc0": DecodeKindTrailing, "\x81\xa1a\xa1\xff": DecodeKindValue, "\x81\xa1a\xcc\x01": DecodeKindNotCanonical,
	} {
		if err := CheckFreeMap([]byte(b)); !errors.Is(err, &DecodeError{Kind: want}) {
			t.Errorf("%x: %v, want %s", b, err, want)
		}
	}
}

func TestFreeMapEntries(t *testing.T) {
	var got []string
	err := FreeMapEntries([]byte("\x85\xa1a\xa1x\xa1b\xc4\x01y\xa1c\x07\xa1d\xff\xa1e\x91\x01"), func(key string, v any) {
		got = append(got, fmt.Sprintf("%s %T %v", key, v, v))
	})
	if want := "[a string x b []uint8 [121] c uint64 7 d <nil> <nil> e <nil> <nil>]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v, %v; want %s", got, err, want)
	}
	if err := FreeMapEntries([]byte("\x82\xa1b\x01\xa1a\x01"), func(string, any) { t.Error("called for a map that is refused") }); err == nil {
		t.Error("an unsorted map is accepted")
	}
}

func TestDecodeError_Text(t *testing.T) {
	for want, e := range map[string]*DecodeError{
		"decode x: bad length at byte 3":                              {Kind: DecodeKindLength, Op: "decode x", Offset: 3},
		`decode x: field "a.b": wrong type at byte 0, want a boolean`: {Kind: DecodeKindType, Op: "decode x", Field: "a.b", Want: "a boolean"},
		": INVALID(0) at byte 0":                                      {},
		": INVALID(18) at byte 0":                                     {Kind: DecodeKindAlias + 1},
		": unresolved alias at byte 0":                                {Kind: DecodeKindAlias},
	} {
		if e.Error() != want {
			t.Errorf("%q, want %q", e.Error(), want)
		}
	}
	e := &DecodeError{Kind: DecodeKindType, Op: "o", Field: "f"}
	for target, want := range map[*DecodeError]bool{
		{Kind: DecodeKindType}: true, {Kind: DecodeKindValue}: false, {Kind: DecodeKindType, Op: "o"}: false, {Kind: DecodeKindType, Field: "f"}: false,
	} {
		if errors.Is(e, target) != want {
			t.Errorf("is %+v: want %v", target, want)
		}
	}
	if errors.Is(e, errors.New("other")) {
		t.Error("is another error")
	}
	if WithOp(nil, "x") != nil || WithOp(errors.New("other"), "x").Error() != "other" {
		t.Error("WithOp changes what is no DecodeError")
	}
	if err := WithOp(&DecodeError{Op: "first"}, "second"); !strings.HasPrefix(err.Error(), "first") {
		t.Error("WithOp replaces an operation")
	}
}

func TestParseHex_EveryByte(t *testing.T) {
	for c := range 256 {
		var got [1]byte
		err := ParseHex(got[:], []byte{'0', byte(c)})
		i := strings.IndexByte("0123456789abcdef", byte(c))
		if i < 0 {
			i = strings.IndexByte("0123456789ABCDEF", byte(c))
		}
		if (err == nil) != (i >= 0) || i >= 0 && int(got[0]) != i {
			t.Errorf("%q: %d, %v", rune(c), got[0], err)
		}
		if err := ParseHex(got[:], []byte{byte(c), 'f'}); (err == nil) != (i >= 0) || i >= 0 && int(got[0]) != i<<4|15 {
			t.Errorf("%q in front: %d, %v", rune(c), got[0], err)
		}
	}
}

func TestNew_PanicsOnInvalidTags(t *testing.T) {
	for name, build := range map[string]func(){
		"unknown option": func() {
			New[struct {
				A uint8 `kdom:"a,often"`
			}]()
		},
		"unit on an integer": func() {
			New[struct {
				A uint8 `kdom:"a,unit"`
			}]()
		},
		"max without number": func() {
			New[struct {
				A string `kdom:"a,max=x"`
			}]()
		},
		"max of zero": func() {
			New[struct {
				A string `kdom:"a,max=0"`
			}]()
		},
		"default of a list": func() {
			New[struct {
				A []string `kdom:"a,default=x"`
			}]()
		},
		"default of no number": func() {
			New[struct {
				A float64 `kdom:"a,default=x"`
			}]()
		},
		"name of 33 bytes": func() {
			New[struct {
				A uint8 `kdom:"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"`
			}]()
		},
		"object without form": func() {
			New[struct {
				A []byte `kdom:"a,object"`
			}]()
		},
		"hidden field": func() {
			New[struct {
				a uint8 `kdom:"a"`
			}]()
		},
		"channel": func() {
			New[struct {
				A chan int `kdom:"a"`
			}]()
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: accepted", name)
				}
			}()
			build()
		}()
	}
	New[struct {
		A uint8 `kdom:"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"`
	}]() // 32 bytes
	New[struct {
		A *float32 `kdom:"a,unit"`
	}]()
}

func TestPlan_TwoStructsInOneMap(t *testing.T) {
	type first struct {
		A uint8  `kdom:"a"`
		B *uint8 `kdom:"b"`
	}
	type second struct {
		N uint64 `kdom:"n,opt"`
		R uint8  `kdom:"r"`
	}
	p, q := newPlanOf[first](), newPlanOf[second]()
	for name, c := range map[string]struct {
		b    string
		kind DecodeKind
	}{
		"both":             {"\x83\xa1n\x05\xa1a\x01\xa1r\x02", 0},
		"optional absent":  {"\x82\xa1r\x02\xa1a\x01", 0},
		"first missing":    {"\x81\xa1r\x02", DecodeKindMissingField},
		"second missing":   {"\x81\xa1a\x01", DecodeKindMissingField},
		"twice":            {"\x83\xa1r\x02\xa1a\x01\xa1r\x02", DecodeKindDuplicateField},
		"unknown":          {"\x83\xa1r\x02\xa1a\x01\xa1z\x02", DecodeKindUnknownField},
		"zero of optional": {"\x83\xa1n\x00\xa1a\x01\xa1r\x02", DecodeKindNotCanonical},
		"trailing":         {"\x82\xa1r\x02\xa1a\x01\xc0", DecodeKindTrailing},
	} {
		v, w := first{A: 9}, second{N: 9, R: 9}
		err := p.DecodeBoth([]byte(c.b), &v, q, &w)
		if c.kind == 0 && (err != nil || v.A != 1 || w.R != 2 || w.N == 9) || c.kind != 0 && !errors.Is(err, &DecodeError{Kind: c.kind}) {
			t.Errorf("%s: %+v %+v %v", name, v, w, err)
		}
	}
	v := p.New().(*first)
	v.A = 3
	if b := p.AppendFields(p.AppendHead(nil, v, 2), v); string(b) != "\x84\xa1a\x03\xa1b\xc0" {
		t.Errorf("%x", b)
	}
}

func newPlanOf[T any]() *Plan { return New[T]().plan }
