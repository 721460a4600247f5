package worldtest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
	"kingdom/world/realm"
)

// session is a world under test.
type session struct {
	t      *testing.T
	names  *names
	hidden map[string]bool
	web    outside
	out    strings.Builder

	rules *world.Rules
	realm *realm.Realm
	ids   []wire.AgentID // in spawn order
	tick  wire.Tick      // the last stepped
	open  bool           // cycle of tick is open
	seq   uint64         // of operator inputs
	last  realm.CycleEnd
	nonce uint64
}

func (s *session) printf(format string, a ...any) { fmt.Fprintf(&s.out, format+"\n", a...) }

// run runs the command lines of a block and returns its output.
func (s *session) run(lines []string) string {
	s.out.Reset()
	together := false
	var acts [][]string
	for _, line := range lines {
		words := strings.SplitN(strings.TrimSpace(line), " ", 4)
		if words[0] != "world" && s.realm == nil {
			s.world(nil)
		}
		switch {
		case words[0] == "together":
			together = true
		case words[0] == "agent" && together:
			acts = append(acts, words)
		case words[0] == "agent":
			s.commit([][]string{words})
		default:
			s.command(strings.Fields(line))
		}
	}
	if together {
		s.commit(acts)
	}
	if s.out.Len() == 0 {
		return "ok\n"
	}
	return s.out.String()
}

func (s *session) command(words []string) {
	switch words[0] {
	case "world":
		s.world(words[1:])
	case "tick":
		s.step(words[1:])
	case "endcycle":
		s.openCycle()
		s.endCycle(s.wakes(words[1:]))
	case "cycles", "idle":
		for range s.number(words, 1) {
			s.whole(words[0] == "cycles")
		}
	case "epoch":
		s.reach(s.number(words, 1))
	case "outside":
		s.web.set(words[1:])
	case "operator":
		s.operator(s.agent(words[1]), words[2])
	case "spawn":
		s.spawn(words[1], words[2:])
	case "hide":
		for _, k := range words[1:] {
			s.hidden[k] = true
		}
	case "view":
		s.view(s.agent(words[1]))
	case "board":
		s.board(s.agent(words[1]))
	case "subjects":
		var asked []wire.Subject
		for _, name := range strings.Fields(strings.Join(words[2:], " ")) {
			id, err := wire.ParseHash(s.names.byName[name])
			if err != nil {
				s.t.Fatalf("subjects: %q is the name of nothing: %v", name, err)
			}
			asked = append(asked, wire.Subject{ID: id})
		}
		s.subjects(s.agent(words[1]), asked)
	case "agents":
		s.agents()
	case "balances":
		s.balances()
	case "report":
		s.printf("%s", s.fields(&s.last.Report))
	default:
		s.t.Fatalf("unknown command %q; docs: world/worldtest/doc.go", words[0])
	}
}

func (s *session) world(options []string) {
	n := uint64(8)
	for _, o := range options {
		if v, ok := strings.CutPrefix(o, "n="); ok {
			n = s.parse(v)
		}
	}
	r := Rules(n)
	for _, o := range options {
		key, value, _ := strings.Cut(o, "=")
		switch key {
		case "n":
		case "seed":
			r.Seed = wire.WorldSeed(value)
		case "ticks":
			r.Calendar.TicksPerCycle = s.parse(value)
		case "gates":
			r.Gates = uint8(slices.Index([]string{"default", "strict", "open"}, value))
		case "wake":
			r.WakeAfter = s.parse(value)
		case "balance":
			r.InitialBalance = s.parse(value)
		case "base":
			r.BaseBudget = s.parse(value)
		case "text":
			r.AgoraText, r.OracleText = s.parse(value), s.parse(value)
		case "upkeep":
			r.Upkeep = s.parse(value)
		case "cap":
			r.PopulationCap = s.parse(value)
		case "autospawn":
			r.AutoSpawn = value == "true"
		default:
			s.t.Fatalf("unknown world option %q", o)
		}
	}
	s.rules, s.realm, s.names = r, realm.New(r), newNames()
	boot := s.realm.Bootstrap(Eight(int(n)))
	s.ids = nil
	for _, e := range s.realm.TakeEvents() {
		s.meetEvent(e)
	}
	s.ids = boot.Agents
	s.last, s.tick, s.open = boot.End, boot.End.Tick, false
}

// commit sends the given actions in one tick of their own.
func (s *session) commit(acts [][]string) {
	s.nextTick()
	sent := map[wire.AgentID]realm.Sent{}
	text := map[wire.AgentID]string{}
	var live []wire.AgentID
	for _, words := range acts {
		a := s.agent(words[1])
		if _, twice := sent[a]; twice {
			s.t.Fatalf("agent %s acts twice in one tick", words[1])
		}
		live = append(live, a)
		sent[a] = s.request(a, words[2:])
		text[a] = s.names.of(a) + " " + words[2]
	}
	s.realm.Order(s.tick, live)
	seats := make([]realm.Seat, len(live))
	for i, a := range live {
		seats[i] = realm.Seat{Agent: a, Sent: sent[a]}
	}
	before := s.realm.Components()
	s.realm.TakeRows()
	Prepare(s.realm, s.tick, seats, s.web.answer)
	replies := s.realm.Commit(s.tick, seats)
	if after := s.realm.Components(); refusedAll(replies) {
		before[0] = after[0] // Nexus counts the tick
		if rows := slices.DeleteFunc(s.realm.TakeRows(), counts); before != after || len(rows) > 0 {
			s.t.Errorf("%v: all were refused, but the state has changed: %+v", acts, rows)
		}
	}
	events := s.realm.TakeEvents()
	for _, e := range events {
		s.meetEvent(e)
	}
	for i, a := range live {
		s.meetReply(replies[i])
		s.printf("%s: %s", text[a], s.reply(replies[i]))
		var mine []*wire.Event
		for _, e := range events {
			if e.ID.Lamport&0xFFFFFFFF>>12 == uint64(1024+i+1) {
				mine = append(mine, e)
			}
		}
		s.show(mine)
	}
}

// counts reports whether a row changes only because every slot consumes a tick: the clock counts it, and the agent was
// active in the cycle.
func counts(r world.Row) bool {
	return r.System == wire.SystemNexus && (r.Table == "clock" || r.Table == "agents")
}

// refusedAll reports whether all requests were refused.
func refusedAll(replies []wire.Reply) bool {
	return !slices.ContainsFunc(replies, func(r wire.Reply) bool { return r.Err == nil || CarriedOut(r.Err) })
}

// CarriedOut reports whether an error is the result of a request instead of a refusal that changes nothing: a fetch
// without an answer is paid for, and so is a failed read of Forge.
func CarriedOut(e *wire.ErrorBody) bool {
	forge := func(c wire.Category) bool { return e.Code == wire.ErrorCode(wire.SystemForge, c) }
	switch string(e.Message) {
	case "program": // also of a bounty's test
		return e.Category == wire.CategoryInvalidRequest.String()
	case "unresolved_symbol", "endpoint":
		return forge(wire.CategoryInvalidRequest)
	case "storage":
		return forge(wire.CategoryQuotaExceeded)
	}
	return e.Category == wire.CategoryInternal.String()
}

func (s *session) request(a wire.AgentID, words []string) realm.Sent {
	s.nonce++
	if words[0] == "nops" {
		return Seal(a, s.tick, wire.TypeAgentStatus, report(a, uint32(s.parse(words[1]))), s.nonce)
	}
	row, ok := action.ByName(words[0])
	if !ok {
		s.t.Fatalf("unknown action %q", words[0])
	}
	params := "{}"
	if len(words) > 1 {
		params = s.names.expand(words[1])
	}
	payload, err := row.FromJSON([]byte(params), nil)
	if err != nil {
		s.t.Fatalf("%s %s: %v", words[0], params, err)
	}
	Fill(s.realm, a, payload)
	return Seal(a, s.tick, row.Type, payload, s.nonce)
}

// report is what a runtime sends when a NOP makes the streak n.
func report(a wire.AgentID, n uint32) *wire.AgentStatusMsg {
	m := &wire.AgentStatusMsg{AgentID: a, NopStreak: &n}
	if n == 10 {
		status, reason := wire.StatusDormant, "nop_limit"
		m.Status, m.Reason = &status, &reason
	}
	return m
}

func (s *session) show(events []*wire.Event) {
	for _, e := range events {
		if line := s.event(e); !s.hidden[e.Kind.String()] && e.Kind != wire.KindTick && !quiet(e) {
			s.printf("%s", line)
		}
	}
}

// quiet reports whether an event only says that nothing happened.
func quiet(e *wire.Event) bool {
	p, ok := e.Payload.(*wire.PortalReport)
	return ok && p.TotalRequests == 0 && p.BlockedRequests == 0
}

func (s *session) operator(a wire.AgentID, what string) {
	s.nextTick()
	s.seq++
	to := wire.StatusDormant
	switch what {
	case "dead":
		to = wire.StatusDead
	case "active":
		to = wire.StatusActive
	case "embryo":
		to = wire.StatusEmbryo
	}
	s.answer(s.realm.SetStatus(s.tick, a, to, "operator", uint64(s.tick)<<32|s.seq))
}

func (s *session) spawn(role string, options []string) {
	s.nextTick()
	v := wire.Role(1 + slices.Index(wire.Role(0).EnumNames(), role))
	if v == 0 {
		s.t.Fatalf("unknown role %q", role)
	}
	g := Eight(7)[6]
	g.Role = v
	q := Newcomer(g)
	for _, o := range options {
		switch key, value, _ := strings.Cut(o, "="); key {
		case "fund":
			q.InitialFund = s.parse(value)
		case "parent":
			q.Parent = wire.AgentID{1}
			if value != "nobody" {
				q.Parent = s.agent(value)
			}
		case "genome": // of another role
			g.Role = wire.Role(1 + slices.Index(wire.Role(0).EnumNames(), value))
			q.Genome = Newcomer(g).Genome
		case "seeds":
			g.KnowledgeSeeds = make([]wire.Hash, s.parse(value))
			q.Genome = Newcomer(g).Genome
		default:
			s.t.Fatalf("unknown option %q of a newcomer", o)
		}
	}
	ack, refusal := s.realm.Spawn(s.tick, q)
	if refusal == nil {
		s.names.meet("a", ack.AgentID)
		s.printf("%s", strings.TrimRight("AGENT_SPAWN_ACK "+s.fields(ack), " "))
	} else {
		s.printf("operator agent_spawn_req: ERROR %s %s (0x%04X)%s", refusal.Category, refusal.Reason, wire.ErrorCode(wire.SystemNexus, refusal.Category), details(refusal))
	}
	s.answer(nil)
}

// details are the context of a refusal.
func details(refusal *world.Refusal) (text string) {
	for _, x := range refusal.Details {
		text += fmt.Sprintf(" %s=%s", x.Key, x.Value)
	}
	return text
}

func (s *session) answer(refusal *world.Refusal) {
	if refusal != nil {
		s.printf("refused: %s %s%s", refusal.Category, refusal.Reason, details(refusal))
	}
	s.show(s.realm.TakeEvents())
}

func (s *session) agent(word string) wire.AgentID {
	id, ok := s.names.byName["$a"+word]
	if !ok {
		s.t.Fatalf("no agent %q", word)
	}
	a, err := wire.ParseAgentID(id)
	if err != nil {
		s.t.Fatal(err)
	}
	return a
}

func (s *session) number(words []string, i int) uint64 {
	if len(words) <= i {
		return 1
	}
	return s.parse(words[i])
}

func (s *session) parse(text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		s.t.Fatalf("%q is no number", text)
	}
	return n
}
