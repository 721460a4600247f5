package codec

import (
	"errors"
	"testing"
)

type tagged struct {
	Context BinMap `kdom:"context"`
}

var taggedCodec = New[tagged]()

func TestBinMap_DecodesAnyOrderRefusesDuplicates(t *testing.T) {
	var v tagged
	if err := taggedCodec.Decode([]byte("\x81\xa7context\x82\xa1b\xc4\x01x\xa1a\xc4\x00"), &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Context) != 2 || v.Context[0].Key != "a" {
		t.Errorf("entries %v are not sorted", v.Context)
	}
	if b, ok := v.Context.Get("b"); !ok || string(b) != "x" {
		t.Errorf("b = %q, %v", b, ok)
	}
	if _, ok := v.Context.Get("c"); ok {
		t.Error("an absent key is found")
	}
	double := &DecodeError{Kind: DecodeKindDuplicateField}
	if err := taggedCodec.Decode([]byte("\x81\xa7context\x82\xa1a\xc4\x00\xa1a\xc4\x00"), &v); !errors.Is(err, double) {
		t.Errorf("double key: %v", err)
	}
	if err := taggedCodec.FromJSON([]byte(`{"context":{"b":"","a":"","b":""}}`), &v, nil); !errors.Is(err, double) {
		t.Errorf("double key in JSON: %v", err)
	}
	if err := taggedCodec.FromJSON([]byte(`{"context":{"b":"hex:00","a":""}}`), &v, nil); err != nil || v.Context[0].Key != "a" {
		t.Errorf("%v, %v", v.Context, err)
	}
}

func TestBinMap_SetKeepsOrder(t *testing.T) {
	var m BinMap
	for _, k := range []string{"b", "c", "a", "b"} {
		m.Set(k, []byte{byte(len(m))})
	}
	if len(m) != 3 || m[0].Key != "a" || m[1].Key != "b" || m[2].Key != "c" || m[1].Value[0] != 3 {
		t.Errorf("entries %v", m)
	}
}
