package forge

import (
	"crypto/ed25519"
	"encoding/binary"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// lab is a Forge alone with its neighbours.
type lab struct {
	*Daemon
	t    testing.TB
	c    *world.Context
	n    *town
	v    *fakeStore
	msgs uint64
	bare bool // nothing is prepared
}

func newLab(t testing.TB) *lab {
	rules := &world.Rules{Calendar: wire.Calendar{TicksPerCycle: 256}, Population: 8}
	n := &town{money: map[wire.AgentID]int64{}, bought: map[wire.AgentID]uint64{}}
	for i := range 8 {
		key := wire.AgentKey(wire.Hash{}, uint64(i+1))
		n.ids = append(n.ids, wire.IDOf(key.Public().(ed25519.PublicKey)))
		n.money[n.ids[i]] = 100
	}
	return reborn(&lab{t: t, c: &world.Context{Rules: rules}, n: n, v: &fakeStore{objects: map[wire.Hash]thing{}, roots: map[wire.Hash]wire.Hash{}}})
}

// reborn is l with a Forge that was restored from the records of l's, or a new one.
func reborn(l *lab) *lab {
	l.t.Helper()
	c := *l.c
	n := &lab{Daemon: New(l.c.Rules), t: l.t, c: &c, n: l.n.clone(), v: l.v, msgs: l.msgs}
	n.attach()
	if l.Daemon == nil {
		n.at(256)
		return n
	}
	want := l.State().Hash()
	for _, row := range l.State().All() {
		if err := n.State().Load(row); err != nil {
			l.t.Fatal(err)
		}
	}
	n.Restored()
	if got := n.State().FinishRestore(); got != want {
		l.t.Fatalf("restored state hashes to %v, want %v", got, want)
	}
	return n
}

func (l *lab) attach() {
	l.Attach(&world.Siblings{Nexus: l.n, Mint: l.n, Objects: l.v, Entries: l.v})
}

func (l *lab) at(t wire.Tick) { l.c.Seat(t, 1); l.c.Events, l.c.Deliveries = nil, nil }

// sending is a request of an agent, by number.
type sending struct {
	by  int
	req any
}

// tick sends requests in one tick of their own, in this commit order. between happens after they
// were prepared.
func (l *lab) tick(between func(), list ...sending) (replies []wire.Reply) {
	l.t.Helper()
	l.at(l.c.Tick + 1)
	requests, prepared := make([]world.Request, len(list)), make([]any, len(list))
	for i, s := range list {
		l.msgs++
		requests[i] = world.Request{Seat: i, Source: l.n.ids[s.by], Payload: s.req}
		binary.BigEndian.PutUint64(requests[i].Msg[:], l.msgs)
	}
	if !l.bare {
		l.prepare(l.Prepare(l.c.Tick, requests), prepared)
	}
	if between != nil {
		between()
	}
	for i := range requests {
		l.c.Source, l.c.Msg, l.c.Prepared = requests[i].Source, requests[i].Msg, prepared[i]
		replies = append(replies, l.Apply(l.c, requests[i].Payload))
	}
	return replies
}

// prepare makes tasks, as an engine does.
func (l *lab) prepare(tasks []world.Task, prepared []any) {
	l.t.Helper()
	for _, task := range tasks {
		if task.Reads != nil {
			for missing := task.Reads(); len(missing) > 0; missing = task.Reads() {
				for _, m := range missing {
					if err := m.Fill(nil); err != nil {
						l.t.Fatal(err)
					}
				}
			}
		}
		for i, v := range task.Run(world.Answer{}) {
			prepared[task.Seats[i]] = v
		}
	}
}

func (l *lab) send(by int, req any) wire.Reply { l.t.Helper(); return l.tick(nil, sending{by, req})[0] }

func (l *lab) endCycle(epoch uint32) {
	l.c.CycleEnd(l.rules.Calendar.Last(l.c.Cycle))
	l.c.ActAs(sys)
	l.c.Epoch = epoch
	for missing := l.Missing(l.c.Tick, epoch); len(missing) > 0; missing = l.Missing(l.c.Tick, epoch) {
		for _, m := range missing {
			if err := m.Fill(nil); err != nil {
				l.t.Fatal(err)
			}
		}
	}
	l.CycleEnd(l.c)
	l.at(l.c.Tick + 1)
}

// atom stores a text in the name of an agent before the first tick.
func (l *lab) atom(by int, text string) wire.Hash {
	return l.v.put(l.n.ids[by], 1, wire.ObjectAtom, []byte(text))
}

// store moves the contents of all objects out of memory.
func (l *lab) store() {
	for id, o := range l.v.objects {
		o.stored = true
		l.v.objects[id] = o
	}
}

// box makes a persistent sandbox of a text and runs it.
func (l *lab) box(by int, text string) wire.Hash {
	l.t.Helper()
	id := l.must(by, &wire.SandboxCreate{Code: l.atom(by, text), MemoryQuota: 65_536, TickBudget: 100, Persistent: true}).Body.(*wire.SandboxCreateAck).SandboxID
	l.must(by, &wire.ExecStart{SandboxID: id})
	return id
}

// serve makes a service with the endpoint f of a text.
func (l *lab) serve(by int, fee uint64, text string) wire.Hash {
	l.t.Helper()
	return l.must(by, &wire.ServiceCreate{
		Sandbox: l.box(by, text), Name: []byte("s"), TickBudget: 500, Endpoints: []wire.Endpoint{{Name: []byte("f")}}, Fee: &fee,
	}).Body.(*wire.ServiceCreateAck).ServiceID
}

func (l *lab) must(by int, req any) wire.Reply {
	l.t.Helper()
	r := l.send(by, req)
	if r.Err != nil {
		l.t.Fatalf("%T: %s %v", req, r.Err.Message, r.Err.Context)
	}
	return r
}

// word is the reason of a refusal, empty for none.
func word(r wire.Reply) string {
	if r.Err == nil {
		return ""
	}
	return string(r.Err.Message)
}
