package realm_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"reflect"
	"strings"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
	"kingdom/world"
	"kingdom/world/oracle"
	"kingdom/world/realm"
	"kingdom/world/worldtest"
)

// monkey makes requests of every kind, about things that exist and things that do
// not, some right and most wrong.
type monkey struct {
	dice
	r     *realm.Realm
	tick  wire.Tick
	ids   []wire.Hash            // met in events, the newest
	kinds map[string][]wire.Hash // the same by what they are of, see kindOf
	field string                 // that is being filled, by its wire name
	rows  []*action.Row
	n     uint64
	db    *store // where contents lie that the world has forgotten

	careful bool      // looks at the state after each request
	seen    hash.Hash // of replies and ends of cycles
}

// dice decide what a monkey does.
type dice interface {
	IntN(n int) int
	Uint64() uint64
}

func newMonkey(seed uint64, r *realm.Realm) *monkey {
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], seed)
	return monkeyOf(det.NewStream(key, "world.monkey", [32]byte{}, 0), r)
}

func monkeyOf(d dice, r *realm.Realm) *monkey {
	m := &monkey{dice: d, r: r, kinds: map[string][]wire.Hash{}, careful: true, seen: sha256.New()}
	rows := action.All()
	for i := range rows {
		if rows[i].Type != 0 && rows[i].Type != wire.TypeEvent { // an event has no form as a request
			m.rows = append(m.rows, &rows[i])
		}
	}
	m.ids = append(m.ids, wire.Hash{}, wire.Hash{9}, channel("general"), channel("bounties"), oracle.EntryZero)
	return m
}

// learn remembers the ids in events, so that later requests are about something.
func (m *monkey) learn(events []*wire.Event) {
	for _, e := range events {
		v := reflect.ValueOf(e.Payload).Elem()
		for i := range v.NumField() {
			if h, ok := v.Field(i).Interface().(wire.Hash); ok && e.Kind != wire.KindCycleEnd && e.Kind != wire.KindTransferCompleted {
				m.ids = append(m.ids, h)
				k := kindOf(nameOf(v.Type().Field(i)))
				m.kinds[k] = append(m.kinds[k], h)
			}
		}
	}
	if over := len(m.ids) - 60; over > 0 {
		m.ids = m.ids[over:]
	}
}

// kindOf says of what kind a thing is that a field names: the fields of events and of requests have names of their own.
func kindOf(field string) string {
	switch field {
	case "from_repo", "to_repo", "new_repo", "source_repo", "linked_repo", "fork_of":
		return "repo"
	case "parent", "base", "left", "right", "base_snap", "head_snap", "from_snap", "new_head", "submission_snap", "result":
		return "snap"
	case "new_tag", "to_tag":
		return "tag"
	case "code", "from":
		return "program"
	case "object_id":
		return "object"
	case "source", "supersedes":
		return "entry"
	case "request":
		return "review"
	}
	return strings.TrimSuffix(field, "_id")
}

func nameOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("kdom"), ",")
	return name
}

// id is a thing that exists, mostly of the kind that the field asks for.
func (m *monkey) id() wire.Hash {
	list := m.ids
	if k := m.kinds[kindOf(m.field)]; len(k) > 0 && m.IntN(4) > 0 {
		list = k
	}
	return list[m.IntN(len(list))]
}

// of is a thing of a kind, or anything where none was met.
func (m *monkey) of(kind string) wire.Hash {
	if k := m.kinds[kind]; len(k) > 0 {
		return k[m.IntN(len(k))]
	}
	return m.ids[m.IntN(len(m.ids))]
}

// request makes a sealed request of a.
func (m *monkey) request(a wire.AgentID) realm.Sent {
	row := m.rows[m.IntN(len(m.rows))]
	payload := row.New()
	m.fill(reflect.ValueOf(payload).Elem())
	m.sense(payload)
	worldtest.Fill(m.r, a, payload)
	m.n++
	return worldtest.Seal(a, m.tick, row.Type, payload, m.n)
}

// prepare does what the engine does between act and commit.
func (m *monkey) prepare(seats []realm.Seat) {
	for _, task := range m.r.Prepare(m.tick, seats) {
		if task.Reads != nil {
			for missing := task.Reads(); len(missing) > 0; missing = task.Reads() {
				m.db.fill(missing)
			}
		}
		for i, v := range task.Run(m.answer(task.Fetch)) {
			seats[task.Seats[i]].Prepared = v
		}
	}
}

// answer is what the outside says when it is asked something.
func (m *monkey) answer(question []byte) world.Answer {
	if question == nil {
		return world.Answer{}
	}
	page := &wire.WebFetched{Status: 200, ContentType: []byte("text/plain"), Content: []byte("A page. `code` and more.\n```\nfenced\n```\n")}
	switch m.IntN(8) {
	case 0:
		return world.Answer{Failed: "nobody is there"}
	case 1:
		return world.Answer{Body: []byte{0xC1}}
	case 2:
		page.Status = 429
	case 3:
		page.Content = bytes.Repeat(page.Content, 1+m.IntN(4_000))
	case 4:
		page.Content, page.ContentType = []byte("{ \xFF ``` ` ```"), []byte("text/html")
	default: // an ordinary page
	}
	return world.Answer{Body: wire.WebFetchedCodec.Append(nil, page)}
}

// programs are texts that sandboxes run: each ends in its own way, and what one offers another may call or load.
var programs = []string{
	"def main(stdin):\n    return \"42\"\n",
	"def abcd(data, state):\n    return data, (state or 0) + 1\n\ndef x(data, state):\n    return data\n",
	"def main(stdin):\n    emit(stdin)\n    fault(\"no\")\n",
	"x = [0]\nwhile True:\n    x = x + x\n",
}

// code is a small tree with its objects.
func (m *monkey) code() (wire.Hash, *[]wire.InlineObject) {
	text := pad(m.Uint64())
	if m.IntN(2) == 0 {
		text = []byte(programs[m.IntN(len(programs))])
	}
	sub := wire.TreeCodec.Append(nil, &wire.Tree{Entries: []wire.TreeEntry{
		{Key: []byte{'a' + byte(m.IntN(3))}, Value: wire.ObjectID(wire.ObjectAtom, text), Kind: wire.TreeEntryKindAtom},
	}})
	top := wire.TreeCodec.Append(nil, &wire.Tree{Entries: []wire.TreeEntry{
		{Key: []byte{'a' + byte(m.IntN(3))}, Value: wire.ObjectID(wire.ObjectTree, sub), Kind: wire.TreeEntryKindTree},
	}})
	return wire.ObjectID(wire.ObjectTree, top), &[]wire.InlineObject{
		{TypeTag: wire.ObjectAtom, Data: text}, {TypeTag: wire.ObjectTree, Data: sub}, {TypeTag: wire.ObjectTree, Data: top},
	}
}

// stored remembers the texts that a request which was carried out has stored.
func (m *monkey) stored(payload any) {
	var list []wire.InlineObject
	switch q := payload.(type) {
	case *wire.ObjectPut:
		list = []wire.InlineObject{wire.InlineObject(*q)}
	case *wire.RepoCreate:
		if q.Objects != nil {
			list = *q.Objects
		}
	case *wire.SnapCreate:
		if q.Objects != nil {
			list = *q.Objects
		}
	}
	for i := range list {
		if list[i].TypeTag == wire.ObjectAtom {
			m.kinds["program"] = append(m.kinds["program"], list[i].ID())
		}
	}
}

// sense gives the requests that need more than luck a chance.
func (m *monkey) sense(payload any) {
	switch q := payload.(type) {
	case *wire.AgentStatusMsg:
		if *q = (wire.AgentStatusMsg{AgentID: q.AgentID}); m.IntN(3) == 0 {
			n := uint32(m.IntN(12))
			q.NopStreak = &n
		}
	case *wire.MsgPost:
		q.Channel, q.Confidence = channel("general"), 0.5
		q.Content = append([]byte{0x81, 0xA4}, append([]byte("text\xA4"), pad(m.Uint64())...)...)
	case *wire.ProposalSubmit:
		q.VoteDeadline = m.tick + wire.Tick(m.IntN(600))
		switch q.Kind {
		case wire.ProposalKindKillAgent:
			q.Description = codec.New[wire.KillProposal]().Append(nil, &wire.KillProposal{AgentID: m.agent()})
		case wire.ProposalKindCustom:
			q.Description = []byte{0x80}
		case wire.ProposalKindSpawnAgent:
			g := worldtest.Eight(8)[m.IntN(8)]
			genome := codec.New[wire.Genome]().Append(nil, &g)
			q.Description = codec.New[wire.SpawnProposal]().Append(nil, &wire.SpawnProposal{
				Role: g.Role, InitialFund: uint64(40 + m.IntN(50)), Genome: genome,
			})
		default: // nothing to do for the others
		}
	case *wire.BountyCreate:
		q.Deadline = 0
		q.Requirements = []wire.BountyRequirement{}
	case *wire.EntryPublish:
		q.Entry.Body = oracle.Body([]wire.ContentBlock{{Paragraph: &wire.ParagraphBlock{Text: string(pad(m.Uint64()))}}})
		q.Entry.References, q.Entry.Supersedes, q.Entry.ProofHash = []wire.Hash{}, nil, nil
	case *wire.EntryUpdate:
		q.NewBody = oracle.Body([]wire.ContentBlock{{Paragraph: &wire.ParagraphBlock{Text: string(pad(m.Uint64()))}}})
	case *wire.Transfer:
		q.Signature = nil
		if m.IntN(4) > 0 {
			q.Kind = wire.TransferKindDirect
		}
	case *wire.RepoCreate:
		if q.ForkOf != nil && m.IntN(2) == 0 {
			q.Root, q.Objects = nil, nil
			return
		}
		root, objects := m.code()
		q.ForkOf, q.Root, q.Objects = nil, &root, objects
	case *wire.SnapCreate:
		q.Root, q.Objects = m.code()
		if q.Proof != nil && m.IntN(2) == 0 {
			p := wire.ExecutionProof{Program: (*q.Objects)[0].ID()}
			p.Sign()
			proof := wire.ExecutionProofCodec.Append(nil, &p)
			q.Proof = &proof
		}
	case *wire.ObjectPut:
		q.TypeTag = wire.ObjectType(1 + m.IntN(8))
		if root, objects := m.code(); m.IntN(2) == 0 && !root.IsZero() {
			*q = wire.ObjectPut((*objects)[m.IntN(3)])
		}
	case *wire.SignalSend:
		q.Target = m.of("message")
	case *wire.DeltaCompute:
		q.Base, q.Target = m.of("snap"), m.of("snap")
	case *wire.TagCreate:
		q.Target = m.of("snap")
	case *wire.SandboxCreate:
		q.Environment = q.Environment[:min(len(q.Environment), 1)] // a map has a key once
		q.MemoryQuota, q.TickBudget = 65_536, uint64(1+m.IntN(100))
		if m.IntN(8) == 0 {
			q.TickBudget *= 1_000
		}
	case *wire.ServiceCreate:
		q.Endpoints = []wire.Endpoint{{Name: []byte("abcd")}}
	case *wire.ServiceCall:
		q.Endpoint = []byte("abcd")
	case *wire.WebRequest:
		q.Signature, q.Headers = nil, q.Headers[:min(len(q.Headers), 1)]
		hosts := []string{"https://en.wikipedia.org/wiki/", "https://docs.rs/", "http://127.0.0.1/", "https://github.com/", "ftp://arxiv.org/"}
		q.URL = []byte(hosts[m.IntN(len(hosts))] + string(pad(uint64(m.IntN(12)))))
	case *wire.Unsubscribe:
		q.SubscriberID = uint64(1 + m.IntN(2))
	case *wire.ReviewRequest:
		q.Reviewers = q.Reviewers[:min(len(q.Reviewers), 1)]
	case *wire.BountySubmit:
		if m.IntN(2) == 0 {
			q.SubmissionSnap = wire.Hash{}
		}
	case *wire.Subscribe:
		q.Since = nil
	}
}

func pad(n uint64) []byte {
	const letters = "abcdefghijklmnop"
	return []byte{letters[n&15], letters[n>>4&15], letters[n>>8&15], letters[n>>12&15]}
}

func channel(name string) wire.Hash { return wire.ChannelID(name) }

func (m *monkey) agent() wire.AgentID {
	all := m.r.Agents()
	if m.IntN(8) == 0 {
		return wire.SystemID(wire.System(1 + m.IntN(10)))
	}
	return all[m.IntN(len(all))]
}

// fill sets a value to something its type allows.
func (m *monkey) fill(v reflect.Value) {
	switch v.Interface().(type) {
	case wire.Hash:
		v.Set(reflect.ValueOf(m.id()))
		return
	case wire.AgentID:
		v.Set(reflect.ValueOf(m.agent()))
		return
	case wire.Tick:
		v.SetUint(uint64(m.tick) + uint64(m.IntN(3000)))
		return
	case wire.EventKind:
		v.SetUint(uint64(wire.KindMessagePosted))
		return
	case []byte:
		n := m.Uint64()
		if strings.HasSuffix(m.field, "name") { // few, so that some are taken
			n %= 5
		}
		v.SetBytes(pad(n))
		return
	}
	if e, ok := v.Interface().(interface{ EnumNames() []string }); ok && v.Kind() == reflect.Uint8 {
		v.SetUint(uint64(1 + m.IntN(len(e.EnumNames()))))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(m.IntN(2) == 0)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint([]uint64{0, 1, 2, 5, 20, 60, 200}[m.IntN(7)])
	case reflect.Int64:
		v.SetInt(int64(m.IntN(9) - 2))
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{-1, 0, 0.5, 1, 2}[m.IntN(5)])
	case reflect.String:
		v.SetString("x")
	case reflect.Pointer:
		if m.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			m.fill(v.Elem())
		}
	case reflect.Slice:
		n := m.IntN(3)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			m.fill(v.Index(i))
		}
	case reflect.Struct:
		if _, union := v.Interface().(interface{ Union() }); union {
			f := v.Field(0)
			if f.Kind() == reflect.Bool {
				f.SetBool(true)
			} else {
				f.Set(reflect.New(f.Type().Elem()))
				m.fill(f.Elem())
			}
			return
		}
		for i := range v.NumField() {
			m.field = nameOf(v.Type().Field(i))
			m.fill(v.Field(i))
		}
	}
}
