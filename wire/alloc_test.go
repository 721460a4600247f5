package wire

import (
	"testing"

	"kingdom/wire/codec"
)

var benchPost = MsgPost{
	Channel: Hash{1}, Author: AgentID{2}, Kind: MessageKindQuestion, Content: TextContent("how does load work?"),
	References: []Hash{{3}, {4}}, Confidence: 0.5,
}

var benchEntry = OracleEntry{
	ID: Hash{1}, Kind: EntryKindPattern, Title: []byte("a pattern"), Version: 3, Body: TextBody("text"),
	Contributors: []AgentID{{1}, {2}}, Tags: [][]byte{[]byte("starlark")}, VerifiedBy: []AgentID{{3}},
}

var (
	postCodec  = codec.New[MsgPost]()
	entryCodec = codec.New[OracleEntry]()
)

func TestAppend_NoAllocations(t *testing.T) {
	buf := make([]byte, 0, 4096)
	e := pingEnvelope()
	header := e.AppendHeader(nil)
	frame := e.AppendFrame(nil)
	event := &AgentKillEvent{Reason: KillReason{Bankruptcy: &KilledByBankruptcy{5}}}
	var h Header
	allowed := map[string]float64{"open frame": 1} // the envelope, where the decoder can reach it
	for name, do := range map[string]func(){
		"codec":         func() { postCodec.Append(buf, &benchPost) },
		"record":        func() { entryCodec.Append(buf, &benchEntry) },
		"body":          func() { AppendBody(buf, &benchPost, 1) },
		"reply":         func() { AppendReply(buf, Hash{}, &benchPost) },
		"event":         func() { AppendPayload(buf, event) },
		"header encode": func() { e.AppendHeader(buf) },
		"header decode": func() { _ = h.DecodeHeader(header) },
		"frame":         func() { e.AppendFrame(buf) },
		"open frame":    func() { _, _ = OpenFrame(frame) },
		"new envelope":  func() { NewEnvelope(TypePing, AgentID{}, AgentID{}, 1, e.Body) },
		"check":         func() { _ = e.CheckBody(); _ = e.CheckMsgID() },
	} {
		if n := testing.AllocsPerRun(100, do); n > allowed[name] {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}

func BenchmarkHeader_Encode(b *testing.B) {
	e := pingEnvelope()
	buf := make([]byte, 0, maxHeader)
	b.ReportAllocs()
	for b.Loop() {
		e.AppendHeader(buf)
	}
}

func BenchmarkHeader_Decode(b *testing.B) {
	e := pingEnvelope()
	header := e.AppendHeader(nil)
	var h Header
	b.ReportAllocs()
	for b.Loop() {
		if err := h.DecodeHeader(header); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBody_Encode(b *testing.B) {
	buf := make([]byte, 0, 4096)
	b.ReportAllocs()
	for b.Loop() {
		AppendBody(buf, &benchPost, 0)
	}
}

func BenchmarkBody_Decode(b *testing.B) {
	body := AppendBody(nil, &benchPost, 0)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := DecodeRequest(TypeMsgPost, body); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRecord_Encode(b *testing.B) {
	buf := make([]byte, 0, 4096)
	b.ReportAllocs()
	for b.Loop() {
		entryCodec.Append(buf, &benchEntry)
	}
}

func BenchmarkParams_FromJSON(b *testing.B) {
	raw := postCodec.AppendJSON(nil, &benchPost)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := RequestFromJSON(TypeMsgPost, raw, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewEnvelope(b *testing.B) {
	body := AppendBody(nil, &benchPost, 0)
	b.ReportAllocs()
	for b.Loop() {
		NewEnvelope(TypeMsgPost, AgentID{1}, AgentID{2}, 300, body)
	}
}
