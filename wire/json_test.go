package wire

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire/codec"
)

var aliasTarget = SystemID(SystemAgora)

func resolveAlias(alias string) ([32]byte, bool) {
	return aliasTarget, alias == aliasTarget.Alias()
}

const (
	hexA = "0101010101010101010101010101010101010101010101010101010101010101"
	hexB = "0202020202020202020202020202020202020202020202020202020202020202"
)

var hashA = must(ParseHash(hexA))

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestFromJSON_Parameters(t *testing.T) {
	str := func(s string) *string { return &s }
	half := float32(0.5)
	cases := []struct {
		name string
		typ  MsgType
		raw  string
		want any
	}{
		{
			"runtime fields stay zero", TypeBountyClaim, `{"bounty_id":"` + hexA + `"}`,
			&BountyClaim{BountyID: hashA},
		},
		{
			"upper-case hex and spaces", TypeBountyClaim, " { \"bounty_id\" :\n\"" + strings.ToUpper(hexA) + "\" } ",
			&BountyClaim{BountyID: hashA},
		},
		{
			"agent by alias", TypeBalanceQuery, `{"agent_id":"` + aliasTarget.Alias() + `"}`,
			&BalanceQuery{AgentID: aliasTarget},
		},
		{
			"content as text", TypeMsgPost, `{"channel":"` + hexA + `","kind":"question","content":"hé \u00e9\n","confidence":0.5}`,
			&MsgPost{Channel: hashA, Kind: MessageKindQuestion, Content: TextContent("hé é\n"), Confidence: half},
		},
		{
			"content as object", TypeMsgPost, `{"channel":"` + hexA + `","kind":"STATEMENT","content":{"type":"bug_report","text":"x"},"confidence":1,"references":["` + hexB + `"]}`,
			&MsgPost{
				Channel: hashA, Kind: MessageKindStatement, References: []Hash{must(ParseHash(hexB))},
				Content: ContentCodec.Append(nil, &Content{Text: str("x"), Type: str("bug_report")}), Confidence: 1,
			},
		},
		{
			"enum case and union", TypeChannelCreate, `{"kind":"Rfc","name":"ideas","access":{"invite_only":["` + aliasTarget.Alias() + `"]},"linked_repo":null}`,
			&ChannelCreate{Kind: ChannelKindRFC, Name: []byte("ideas"), Access: Access{InviteOnly: &[]AgentID{aliasTarget}}},
		},
		{
			"unit variant", TypeChannelCreate, `{"kind":"GENERAL","name":"b64:aGk=","access":"public","auto_close":3}`,
			&ChannelCreate{Kind: ChannelKindGeneral, Name: []byte("hi"), Access: Access{Public: true}, AutoClose: new(uint64(3))},
		},
		{
			"body as text", TypeEntryPublish, `{"entry":{"kind":"FAQ","title":"hex:6869","body":"one"}}`,
			&EntryPublish{Entry: EntryDraft{Kind: EntryKindFAQ, Title: []byte("hi"), Body: TextBody("one")}, Review: ReviewModeImmediate},
		},
		{
			"body as blocks", TypeEntryUpdate, `{"entry_id":"` + hexA + `","new_body":[{"PARAGRAPH":{"text":"one"}}]}`,
			&EntryUpdate{EntryID: hashA, NewBody: TextBody("one")},
		},
		{
			"description before kind", TypeProposalSubmit, `{"description":{"agent_id":"` + aliasTarget.Alias() + `"},"kind":"KILL_AGENT"}`,
			&ProposalSubmit{Kind: ProposalKindKillAgent, Description: KillProposalCodec.Append(nil, &KillProposal{aliasTarget})},
		},
		{
			"requirement params by kind", TypeBountyCreate, `{"title":"t","specification":"s","reward":5,"difficulty":"easy","requirements":[{"kind":"CUSTOM","params":{"check":"ORACLE_VERIFIED","kind":"pattern","count":3}}]}`,
			&BountyCreate{
				Title: []byte("t"), Specification: []byte("s"), Reward: 5, Difficulty: DifficultyEasy,
				Requirements: []BountyRequirement{{RequirementKindCustom, CustomCheckCodec.Append(nil, &CustomCheck{
					Check: CheckOracleVerified, Kind: new(EntryKindPattern), Count: new(uint32(3)),
				})}},
			},
		},
		{
			"defaults, also as null", TypeEntryQuery, `{"limit":null,"tags":["a"],"min_accuracy":0.5}`,
			&EntryQuery{Tags: &[][]byte{[]byte("a")}, MinAccuracy: &half, Sort: OracleSortRelevant},
		},
		{
			"range", TypeMsgQuery, `{"time_range":[1,18446744073709551615]}`,
			&MsgQuery{TimeRange: &[2]Tick{1, 1<<64 - 1}, Sort: AgoraSortRecent},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := RequestFromJSON(c.typ, []byte(c.raw), resolveAlias)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestFromJSON_ErrorsNameTheField(t *testing.T) {
	cases := []struct {
		name string
		typ  MsgType
		raw  string
		kind codec.DecodeKind
		path string
		want string
	}{
		{"missing", TypeBountyClaim, `{}`, codec.DecodeKindMissingField, "bounty_id", ""},
		{"unknown", TypeBountyClaim, `{"bounty_id":"` + hexA + `","bounty":1}`, codec.DecodeKindUnknownField, "bounty", "only bounty_id"},
		{"runtime", TypeBountyClaim, `{"bounty_id":"` + hexA + `","claimer":"` + hexA + `"}`, codec.DecodeKindUnknownField, "claimer", "only bounty_id"},
		{"double", TypeBountyClaim, `{"bounty_id":"` + hexA + `","bounty_id":"` + hexA + `"}`, codec.DecodeKindDuplicateField, "bounty_id", ""},
		{"short hash", TypeBountyClaim, `{"bounty_id":"0101"}`, codec.DecodeKindLength, "bounty_id", "64 hex digits"},
		{"no hex", TypeBountyClaim, `{"bounty_id":"` + strings.Repeat("zz", 32) + `"}`, codec.DecodeKindValue, "bounty_id", "64 hex digits"},
		{"unknown alias", TypeBalanceQuery, `{"agent_id":"00000000"}`, codec.DecodeKindAlias, "agent_id", "exactly one agent"},
		{"number as text", TypeStakeCreate, `{"proposal":"` + hexA + `","amount":"5","direction":"FOR"}`, codec.DecodeKindType, "amount", "an integer from 0"},
		{"negative", TypeStakeCreate, `{"proposal":"` + hexA + `","amount":-5,"direction":"FOR"}`, codec.DecodeKindRange, "amount", ""},
		{"fraction", TypeStakeCreate, `{"proposal":"` + hexA + `","amount":5.5,"direction":"FOR"}`, codec.DecodeKindType, "amount", ""},
		{"too large", TypeStakeCreate, `{"proposal":"` + hexA + `","amount":18446744073709551616,"direction":"FOR"}`, codec.DecodeKindRange, "amount", "18446744073709551615"},
		{"enum", TypeStakeCreate, `{"proposal":"` + hexA + `","amount":5,"direction":"up"}`, codec.DecodeKindValue, "direction", "one of FOR, AGAINST"},
		{"unit", TypeMsgPost, `{"channel":"` + hexA + `","kind":"ANSWER","content":"x","confidence":1.5}`, codec.DecodeKindRange, "confidence", "from 0 to 1"},
		{"float overflow", TypeEntryQuery, `{"min_accuracy":1e39}`, codec.DecodeKindRange, "min_accuracy", ""},
		{"list item", TypeMsgPost, `{"channel":"` + hexA + `","kind":"ANSWER","content":"x","confidence":1,"references":["` + hexA + `","x"]}`, codec.DecodeKindLength, "references[1]", "64 hex digits"},
		{"nested", TypeEntryPublish, `{"entry":{"kind":"FAQ","title":"t","body":[{"CODE":{"language":"x"}}]}}`, codec.DecodeKindMissingField, "entry.body[0].CODE.source", ""},
		{"two variants", TypeChannelCreate, `{"kind":"RFC","name":"x","access":{"INVITE_ONLY":[],"PUBLIC":true}}`, codec.DecodeKindValue, "access.PUBLIC", "PUBLIC, INVITE_ONLY"},
		{"pair of three", TypeMsgQuery, `{"time_range":[1,2,3]}`, codec.DecodeKindLength, "time_range[2]", "a list of 2"},
		{"pair of one", TypeMsgQuery, `{"time_range":[1]}`, codec.DecodeKindLength, "time_range", "a list of 2"},
		{"double free key", TypeMsgPost, `{"channel":"` + hexA + `","kind":"ANSWER","content":{"a":1,"a":2},"confidence":1}`, codec.DecodeKindDuplicateField, "content.a", ""},
		{"bad hex prefix", TypeChannelCreate, `{"kind":"RFC","name":"hex:0","access":"PUBLIC"}`, codec.DecodeKindValue, "name", "hex digits"},
		{"boolean", TypeProposalVote, `{"proposal_id":"` + hexA + `","vote":"yes"}`, codec.DecodeKindType, "vote", "true or false"},
		{"list for an object", TypeProposalVote, `[]`, codec.DecodeKindType, "", "an object"},
		{"syntax", TypeProposalVote, `{"proposal_id":}`, codec.DecodeKindSyntax, "", "one JSON value"},
		{"two values", TypeProposalVote, `{} {}`, codec.DecodeKindSyntax, "", ""},
		{"not UTF-8", TypeChannelCreate, "{\"kind\":\"RFC\",\"name\":\"\xff\",\"access\":\"PUBLIC\"}", codec.DecodeKindValue, "name", "UTF-8"},
		{"deep", TypeMsgPost, `{"channel":"` + hexA + `","kind":"ANSWER","confidence":1,"content":{"a":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}}`, codec.DecodeKindRange, "content.a" + strings.Repeat("[0]", 62), "64 levels"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := RequestFromJSON(c.typ, []byte(c.raw), resolveAlias)
			var d *codec.DecodeError
			if !errors.As(err, &d) || d.Kind != c.kind || !strings.Contains(d.Want, c.want) {
				t.Fatalf("got %v, want %s (%s)", err, c.kind, c.want)
			}
			if d.Field != c.path {
				t.Errorf("field %q, want %q", d.Field, c.path)
			}
		})
	}
}

func TestAppendJSON_Forms(t *testing.T) {
	post := &MsgPost{Channel: hashA, Author: AgentID{1}, Kind: MessageKindCode, Content: TextContent("a\"b\u2028"), Confidence: 0.25}
	want := `{"channel":"` + hexA + `","kind":"CODE","content":{"text":"a\"b` + "\u2028" + `"},"references":[],"confidence":0.25}`
	if got := string(AppendPayloadJSON(nil, post)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	post.Content = []byte{0xFF}
	if got := string(AppendPayloadJSON(nil, post)); !strings.Contains(got, `"content":"hex:ff"`) {
		t.Errorf("bytes that are no map: %s", got)
	}
	escrow := &EscrowRelease{Proof: []byte("hex:zz")}
	if got := string(AppendPayloadJSON(nil, escrow)); !strings.Contains(got, `"proof":"hex:6865783a7a7a"`) {
		t.Errorf("text that looks like a prefix must be escaped: %s", got)
	}
}

func TestFreeMap_FromJSON(t *testing.T) {
	raw := []byte(`{"channel":"` + hexA + `","kind":"CODE","confidence":0,"content":{"z":1,"a":[-1,2.0,null,true,"hex:00"],"m":{"k":1e300}}}`)
	got, err := RequestFromJSON(TypeMsgPost, raw, nil)
	if err != nil {
		t.Fatal(err)
	}
	content := got.(*MsgPost).Content
	want := "\x83\xa1a\x95\xff\xcb\x40\x00\x00\x00\x00\x00\x00\x00\xc0\xc3\xc4\x01\x00\xa1m\x81\xa1k\xcb\x7e\x37\xe4\x3c\x88\x00\x75\x9c\xa1z\x01"
	if string(content) != want {
		t.Errorf("content %x\nwant    %x", content, want)
	}
	if err := codec.CheckFreeMap(content); err != nil {
		t.Error(err)
	}
	again, err := RequestFromJSON(TypeMsgPost, AppendPayloadJSON(nil, got), nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(got, again); d != "" {
		t.Error(d)
	}
}

func TestCheckFreeMap_Refusals(t *testing.T) {
	for name, b := range map[string]string{
		"list":           "\x90",
		"unsorted":       "\x82\xa1b\x01\xa1a\x01",
		"double":         "\x82\xa1a\x01\xa1a\x01",
		"wide integer":   "\x81\xa1a\xcc\x01",
		"signed family":  "\x81\xa1a\xd0\x01",
		"trailing":       "\x80\xc0",
		"extension":      "\x81\xa1a\xd4\x01\x00",
		"integer key":    "\x81\x01\x01",
		"NaN":            "\x81\xa1a\xca\x7f\xc0\x00\x00",
		"cut":            "\x81\xa1a",
		"long map claim": "\xdf\xff\xff\xff\xff",
	} {
		if err := codec.CheckFreeMap([]byte(b)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestReadContent(t *testing.T) {
	id, title, reward, deadline, kind := Hash{5}, []byte("title"), uint64(10), Tick(99), ContentBounty
	want := Content{BountyID: &id, Title: &title, Reward: &reward, Deadline: &deadline, Type: &kind}
	got, err := ReadContent(ContentCodec.Append(nil, &want))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	got, err = ReadContent([]byte("\x83\xa5extra\x92\x01\x02\xa6reward\xa3ten\xa5title\xa1x"))
	if err != nil {
		t.Fatal(err)
	}
	if got.Reward != nil || got.Title == nil || string(*got.Title) != "x" {
		t.Errorf("foreign content read as %+v", got)
	}
	if _, err := ReadContent([]byte("\x90")); err == nil {
		t.Error("a list is read as content")
	}
}
