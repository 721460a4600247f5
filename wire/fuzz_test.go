package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire/codec"
)

// requestCodes lists the codes of all request bodies in order, so that a fuzzed number
// selects one.
func requestCodes() []MsgType {
	var codes []MsgType
	for c, m := range messages {
		if m.request != nil {
			codes = append(codes, c)
		}
	}
	slices.Sort(codes)
	return codes
}

func eventCodes() []EventKind {
	var codes []EventKind
	for c, k := range eventKinds {
		if k.payload != nil {
			codes = append(codes, c)
		}
	}
	slices.Sort(codes)
	return codes
}

func FuzzOpenFrame(f *testing.F) {
	ping := pingEnvelope()
	f.Add(ping.AppendFrame(nil))
	post := NewEnvelope(TypeMsgPost, AgentID{1}, Broadcast, 1<<40, AppendBody(nil, &benchPost, 7))
	f.Add(post.AppendFrame(nil))
	f.Add([]byte("KDOM\x01\x1c"))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, err := OpenFrame(b)
		if err != nil {
			return
		}
		if again := e.AppendFrame(nil); !bytes.Equal(again, b) {
			t.Errorf("an accepted frame must be the only one of its content:\n%x\n%x", b, again)
		}
	})
}

// checkDecoded holds every accepted body to the round trip.
func checkDecoded(t *testing.T, payload any, decode func(b []byte) (any, error)) {
	t.Helper()
	b := AppendPayload(nil, payload)
	again, err := decode(b)
	if err != nil {
		t.Fatalf("the canonical form %x of an accepted body is refused: %v", b, err)
	}
	if d := cmp.Diff(payload, again); d != "" {
		t.Fatalf("the canonical form means something else:\n%s", d)
	}
}

func FuzzDecodeBody(f *testing.F) {
	codes := requestCodes()
	for i, c := range codes {
		f.Add(uint16(i), []byte{0x80})
		if c == TypeMsgPost {
			f.Add(uint16(i), AppendBody(nil, &benchPost, 3))
		}
		if c == TypeChannelCreate {
			f.Add(uint16(i), AppendBody(nil, &ChannelCreate{Kind: 1, Access: Access{InviteOnly: &[]AgentID{{1}}}}, 0))
		}
	}
	f.Fuzz(func(t *testing.T, i uint16, b []byte) {
		code := codes[int(i)%len(codes)]
		payload, nonce, err := DecodeRequest(code, b)
		if err != nil {
			return
		}
		full := AppendBody(nil, payload, nonce)
		if _, again, err := DecodeRequest(code, full); err != nil || again != nonce {
			t.Fatalf("nonce %d comes back as %d, %v", nonce, again, err)
		}
		checkDecoded(t, payload, func(b []byte) (any, error) {
			p, _, err := DecodeRequest(code, b)
			return p, err
		})
	})
}

func FuzzDecodeReply(f *testing.F) {
	codes := requestCodes()
	f.Add(uint16(0), uint8(0), AppendReply(nil, Hash{1}, nil))
	f.Add(uint16(5), uint8(1), AppendReply(nil, Hash{1}, &oracleReplySample))
	f.Add(uint16(2), uint8(2), AppendReply(nil, Hash{1}, &ErrorBody{Message: []byte("bad_body")}))
	f.Fuzz(func(t *testing.T, i uint16, how uint8, b []byte) {
		request := codes[int(i)%len(codes)]
		reply := []MsgType{TypeAck, request, TypeError}[how%3]
		payload, ref, err := DecodeReply(reply, request, b)
		if err != nil {
			return
		}
		again, ref2, err := DecodeReply(reply, request, AppendReply(nil, ref, payload))
		if err != nil || ref != ref2 {
			t.Fatalf("reply comes back with %v, %v", ref2, err)
		}
		if d := cmp.Diff(payload, again); d != "" {
			t.Fatal(d)
		}
	})
}

// oracleReplySample seeds the corpus with a nested reply.
var oracleReplySample = EntryGetReply{Entry: benchEntry}

func FuzzDecodePayload(f *testing.F) {
	codes := eventCodes()
	for i, k := range codes {
		if k == KindAgentKill {
			f.Add(uint16(i), AppendPayload(nil, &AgentKillEvent{Reason: KillReason{Operator: &KilledByOperator{7}}}))
		}
		if k == KindEconomyReportPublished {
			f.Add(uint16(i), AppendPayload(nil, &EconomicReport{TopEarners: []Earner{{AgentID{1}, 5}}}))
		}
		f.Add(uint16(i), []byte{0x80})
	}
	f.Fuzz(func(t *testing.T, i uint16, b []byte) {
		kind := codes[int(i)%len(codes)]
		payload, err := DecodePayload(kind, b)
		if err != nil {
			return
		}
		checkDecoded(t, payload, func(b []byte) (any, error) { return DecodePayload(kind, b) })
	})
}

// FuzzDecodeMap covers the maps that travel inside fields, and a type with every kind of
// field.
func FuzzDecodeMap(f *testing.F) {
	all := samples()
	var names []string
	for n := range all {
		names = append(names, n)
	}
	slices.Sort(names)
	plans := make([]*codec.Plan, len(names))
	for i, n := range names {
		plans[i] = codec.PlanOf(all[n])
		if n == "ContentBlock" {
			f.Add(uint16(i), TextBody("x")[1:])
		}
		if n == "everything" {
			f.Add(uint16(i), codec.New[everything]().Append(nil, &everything{}))
		}
	}
	f.Add(uint16(0), []byte{0x80})
	f.Fuzz(func(t *testing.T, i uint16, b []byte) {
		p := plans[int(i)%len(plans)]
		v, again := p.New(), p.New()
		if p.Decode(b, v) != nil {
			return
		}
		if err := p.Decode(p.Append(nil, v), again); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(v, again); d != "" {
			t.Fatal(d)
		}
	})
}

func FuzzFromJSON(f *testing.F) {
	codes := requestCodes()
	for i, c := range codes {
		f.Add(uint16(i), []byte(`{}`))
		if c == TypeMsgPost {
			f.Add(uint16(i), AppendPayloadJSON(nil, &benchPost))
			f.Add(uint16(i), []byte(`{"channel":"`+hexA+`","kind":"answer","content":{"a":[1,-2,3.5,null,"hex:00"],"b":{}},"confidence":1e-3}`))
		}
		if c == TypeEntryPublish {
			f.Add(uint16(i), []byte(`{"entry":{"kind":"FAQ","title":"t","body":[{"TABLE":{"headers":["a"],"rows":[["\u00e9"]]}}]}}`))
		}
		if c == TypeProposalSubmit {
			f.Add(uint16(i), []byte(`{"kind":"CHANGE_PARAM","description":{"param":"population.cap","value":-1}}`))
		}
		if c == TypeEntryQuery { // nearly JSON
			for _, value := range []string{
				"01", "-01", "1.", ".5", "1e", "1e+", "+1", "-", "1.5e3.", "nul", "nullx", "1 2", "1,", "", "1}", "[1", "\"a\x01\"", "\"a", `"\u00g0"`, `"\x"`, `"a\`,
			} {
				f.Add(uint16(i), []byte(`{"limit":`+value+`}`))
				f.Add(uint16(i), []byte(`{"text":`+value+`}`))
				f.Add(uint16(i), []byte(`{"tags":[`+value+`]}`))
			}
			f.Add(uint16(i), []byte(`{"limit" 1}`))
			f.Add(uint16(i), []byte(`{"limit"=1}`))
			f.Add(uint16(i), []byte(`{"limit":1`))
			f.Add(uint16(i), []byte(`{"limit":1}}`))
			f.Add(uint16(i), []byte(`{limit:1}`))
		}
		if c == TypeMsgPost {
			for _, content := range []string{
				`{"a":01}`, `{"a":nul}`, `{"a":tru}`, `{"a":[1,]}`, `{"a":1,}`, `{"a" 1}`, `{"a":{]}`, `[}`, `{}x`, `"a"b`, "\"a\nb\"", `"\ud8"`, `{"a":"`, `,`, `:`, `]`,
			} {
				f.Add(uint16(i), []byte(`{"channel":"`+hexA+`","kind":"answer","confidence":1,"content":`+content+`}`))
			}
		}
	}
	f.Fuzz(func(t *testing.T, i uint16, raw []byte) {
		code := codes[int(i)%len(codes)]
		payload, err := RequestFromJSON(code, raw, resolveAlias)
		if syntax := errors.Is(err, &codec.DecodeError{Kind: codec.DecodeKindSyntax}); syntax == json.Valid(raw) {
			t.Fatalf("%s gives %v, but json.Valid says %v", raw, err, !syntax)
		}
		if err != nil {
			return
		}
		b := AppendBody(nil, payload, 0)
		back, _, err := DecodeRequest(code, b)
		if err != nil {
			t.Fatalf("parameters make a bad body %x: %v", b, err)
		}
		if d := cmp.Diff(payload, back); d != "" {
			t.Fatal(d)
		}
		shown := AppendPayloadJSON(nil, payload)
		again, err := RequestFromJSON(code, shown, nil)
		if err != nil {
			t.Fatalf("shown as %s, which is refused: %v", shown, err)
		}
		if d := cmp.Diff(payload, again); d != "" {
			t.Fatalf("shown as %s, which means something else:\n%s", shown, d)
		}
	})
}

func FuzzFreeMap(f *testing.F) {
	f.Add(TextContent("x"))
	f.Add(TextContent(""))
	f.Add(TextContent("x")[:3])             // cut short
	f.Add([]byte("\x82\xa1b\xc0\xa1a\xc0")) // keys out of order
	f.Add([]byte("\x82\xa1a\xc0\xa1a\xc0")) // a key twice
	f.Add([]byte("\x82\xa1a\x92\xc0\xcb\x40\x00\x00\x00\x00\x00\x00\x00\xa1b\x81\xa0\xc4\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ReadContent(b)
		if (err == nil) != (codec.CheckFreeMap(b) == nil) {
			t.Fatalf("ReadContent and codec.CheckFreeMap disagree: %v", err)
		}
		if err != nil {
			return
		}
		if _, err := ReadContent(ContentCodec.Append(nil, &c)); err != nil {
			t.Fatal(err)
		}
		raw := AppendPayloadJSON(nil, &Transfer{Kind: TransferKindDirect, Memo: b})
		if !json.Valid(raw) || bytes.Contains(raw, []byte(`"memo":"`)) {
			t.Fatalf("%s does not show the map", raw)
		}
	})
}
