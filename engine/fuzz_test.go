package engine

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kingdom/agent"
	"kingdom/engine/journal"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// split cuts data into bodies, each behind its u16 length; none is empty.
func split(data []byte) (bodies [][]byte) {
	for len(data) > 2 {
		n := min(int(binary.BigEndian.Uint16(data)), len(data)-2)
		if data = data[2:]; n > 0 {
			bodies = append(bodies, data[:n])
		}
		data = data[n:]
	}
	return bodies
}

// joined is what split takes apart.
func joined(bodies ...[]byte) (data []byte) {
	for _, b := range bodies {
		data = append(binary.BigEndian.AppendUint16(data, uint16(len(b))), b...)
	}
	return data
}

// framed is a file of these records.
func framed(records [][]byte, number uint32, run wire.Hash) []byte {
	b := journal.AppendHeader(nil, number, run)
	for i, r := range records {
		b = journal.AppendRecord(b, number, uint64(i), recordKind(r[0]), func(dst []byte) []byte { return append(dst, r[1:]...) })
	}
	return b
}

// segmentRecords reads the records, kind and body, of a journal segment or snapshot.
func segmentRecords(t testing.TB, path string, number uint32) (records [][]byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := journal.OpenSegment(path, number, wire.Hash(b[10:journal.HeaderLen-4]))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for {
		kind, body, err := s.Next()
		if errors.Is(err, io.EOF) {
			return records
		}
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, append([]byte{byte(kind)}, body...))
	}
}

// unpacked are the records of a snapshot, those of packed ones among them.
func unpacked(t testing.TB, records [][]byte) (out [][]byte) {
	t.Helper()
	var u unpacker
	defer u.close()
	for _, r := range records {
		if recordKind(r[0]) != snapPacked {
			out = append(out, r)
			continue
		}
		err := u.each(r[1:], func(kind journal.Kind, body []byte) error {
			out = append(out, append([]byte{byte(kind)}, body...))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// packed is the records as a packed one.
func packed(t testing.TB, records ...[]byte) (out []byte) {
	t.Helper()
	p, err := newPacker(func(kind recordKind, body func([]byte) []byte) error {
		out = body([]byte{byte(kind)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := p.add(recordKind(r[0]), func(b []byte) []byte { return append(b, r[1:]...) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.flush(); err != nil {
		t.Fatal(err)
	}
	return out
}

// committedBodies are the records of the committed histories, one of each kind.
func committedBodies(f *testing.F) (bodies [][]byte) {
	f.Helper()
	files, err := filepath.Glob(filepath.Join(historiesDir, "*", journalDir, journal.SegmentName(1)))
	if err != nil || len(files) == 0 {
		f.Fatalf("no histories are committed: %v", err)
	}
	count := map[byte]int{}
	for _, file := range files {
		for _, body := range segmentRecords(f, file, 1) {
			if count[body[0]]++; count[body[0]] == 1 {
				bodies = append(bodies, body)
			}
		}
	}
	return bodies
}

// FuzzHistory_Decode: a record body of any bytes is refused as damage or is the one
// form of what it says.
func FuzzHistory_Decode(f *testing.F) {
	for _, b := range committedBodies(f) {
		f.Add(b)
	}
	f.Add([]byte{0})
	f.Add([]byte{byte(recordCycle), 0x80})
	zeros := "\xC4\x20" + string(make([]byte, 32))
	f.Add([]byte(string(rune(recordTick)) + "\x84\xA5seats\xC4\x00\xA4tick\x01\xA8thoughts" + zeros + "\xA5chain" + zeros)) // keys in another order
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 {
			return // the segment reader gives no empty body
		}
		var r record
		if r.decode(recordKind(b[0]), b[1:]) != nil {
			return
		}
		r.tickOf()
		if again := r.append(b[:1:1]); !bytes.Equal(again, b) {
			t.Fatalf("the record has a second form:\n%x\n%x", b, again)
		}
	})
}

// append writes the body of a record.
func (r *record) append(b []byte) []byte {
	switch r.kind {
	case recordThought:
		r.thought.thought()
		return thoughtCodec.Append(b, &r.thought)
	case recordInput:
		return inputCodec.Append(b, &r.input)
	case recordTick:
		return tickCodec.Append(b, &r.tick)
	case recordCycle:
		r.cycle.row()
		return cycleCodec.Append(b, &r.cycle)
	}
	panic("no such kind")
}

// FuzzSnapshot_Read: a snapshot of any records is read or refused with an error, and so
// are the minds in it; one with a flipped byte is refused.
func FuzzSnapshot_Read(f *testing.F) {
	const cycle = 3
	e := &Engine{cfg: testConfig("42", 2), dir: f.TempDir()}
	run := e.cfg.Identity()
	if err := os.Mkdir(filepath.Join(e.dir, snapshotDir), 0o777); err != nil {
		f.Fatal(err)
	}
	who := agent.NewIdentity(e.cfg.Rules.Seed, 1, 41, e.cfg.Genomes[0])
	base, mind := snapshotBodies(f, who.ID)
	f.Add(joined(append(base, mind...)...), uint32(0), byte(0))
	f.Add(joined(append(base, mind...)...), uint32(5000), byte(1))
	f.Add(joined(mind...), uint32(0), byte(0))
	f.Add(joined(base[0], packed(f, append(base[1:], mind...)...)), uint32(0), byte(0))
	f.Add(joined(base[0], packed(f, packed(f, mind...))), uint32(0), byte(0))
	past := snapMindCodec.Append([]byte{byte(snapMind)}, &snapMindRecord{Agent: who.ID, Past: []byte{1}})
	f.Add(joined(base[0], past), uint32(0), byte(0))
	f.Add(joined(base[0], packed(f, mind...)[:40]), uint32(0), byte(0))
	f.Add(joined(base[0]), uint32(journal.HeaderLen), byte(0x20))
	f.Add(joined(append(base, []byte{byte(snapMind), 0x80})...), uint32(0), byte(0))
	f.Fuzz(func(t *testing.T, data []byte, place uint32, flip byte) {
		b := framed(split(data), cycle, run.digest())
		b[int(place%uint32(len(b)))] ^= flip
		if err := os.WriteFile(snapshotFiles(e).path(cycle), b, 0o666); err != nil {
			t.Fatal(err)
		}
		img, _, err := snapshotFiles(e).newest(t.Context(), cycle)
		if err == nil && flip != 0 {
			t.Fatal("a snapshot with a flipped byte was read")
		}
		if err != nil {
			return
		}
		for _, rows := range img.Minds {
			a, err := agent.Restore(who, agent.DefaultLimits, rows)
			switch {
			case err == nil:
				a.StateHash()
			case !errors.Is(err, &agent.Error{Kind: agent.KindSerialization, Agent: who.ID}):
				t.Fatalf("an error of another kind: %v", err)
			}
		}
	})
}

// snapshotBodies are records of a snapshot of a real world: its row, some of what the
// world is made of, and what became of one mind in a cycle.
func snapshotBodies(f *testing.F, who wire.AgentID) (base, mind [][]byte) {
	f.Helper()
	dir, store := f.TempDir(), newMemStore()
	mustRun(f, testConfig("42", 2), Options{Dir: dir, Store: store}, 1)
	all := unpacked(f, segmentRecords(f, (snapFiles{dir: dir}).path(0), 0))
	count := map[byte]int{}
	for _, body := range all {
		if count[body[0]]++; count[body[0]] <= 2 && len(body) < 1<<10 && recordKind(body[0]) != snapMind {
			base = append(base, body)
		}
	}
	lived := newSnapMind(who, store.minds[who])
	return slices.Clip(base), [][]byte{snapMindCodec.Append([]byte{byte(snapMind)}, &lived)}
}

// FuzzRecord_RoundTrip: whatever minds, providers and operators say, what is written of it
// reads back as the same record, in a journal and in a snapshot.
func FuzzRecord_RoundTrip(f *testing.F) {
	f.Add("no such model", []byte("answer"), uint64(1), true)
	f.Add("502 \xff\xc3(", []byte{0xff}, uint64(1)<<63, false)
	f.Add("", []byte{}, uint64(0), true)
	f.Add("\xed\xa0\x80\x00", bytes.Repeat([]byte{7}, 70_000), ^uint64(0), false)
	f.Fuzz(func(t *testing.T, text string, b []byte, n uint64, some bool) {
		var who wire.AgentID
		copy(who[:], b)
		in := Input{Kind: InputKind(n), Agent: who, Status: wire.AgentStatus(n), Reason: text, plan: n}
		if some {
			in.Genome = &wire.Genome{Role: wire.RoleExplorer, KnowledgeSeeds: []wire.Hash{wire.Hash(who)}}
			deadline := wire.Tick(n)
			g := goals.New(who, goals.LayerTask, goals.SourceSocial, goals.Description{Kind: goals.KindOperator, Text: text}, wire.Tick(n))
			g.Deadline = &deadline
			in.Goal = &g
		}
		key := thoughtKey{agent: who, tick: wire.Tick(n), purpose: "act", try: uint32(n)}
		row := CycleRow{Cycle: wire.Cycle(n), Tick: wire.Tick(n), Epoch: uint32(n), WorldHash: wire.Hash(who), AgentTicks: n, Slept: n}
		for _, r := range []record{
			{kind: recordThought, thought: newThoughtRecord(key, sha256Of(text), &llm.Thought{Outcome: llm.ProviderError, Text: b, Model: text, Error: text, Spent: llm.Spent{LatencyMS: n, Estimated: some}, Calls: []llm.Call{{Model: text, Failure: text, Spent: llm.Spent{CachedTokens: n, Estimated: some}}}})},
			{kind: recordInput, input: newInputRecord(&in, wire.Tick(n), n)},
			{kind: recordTick, tick: tickRecord{Tick: wire.Tick(n), Thoughts: wire.Hash(who), Seats: b}},
			{kind: recordCycle, cycle: newCycleRecord(&row, wire.Hash(who))},
		} {
			body := r.append(nil)
			var again record
			if err := again.decode(r.kind, body); err != nil {
				t.Fatalf("kind %d does not read back: %v", r.kind, err)
			}
			if got := again.append(nil); !bytes.Equal(got, body) {
				t.Fatalf("kind %d reads back as another record", r.kind)
			}
			if r.kind == recordInput && some {
				var d goals.Description
				if err := goals.DecodeDescription(again.input.Goal.Description, &d); err != nil {
					t.Fatalf("the goal of an input does not read back: %v", err)
				}
			}
		}

		var mind agent.Rows
		if some {
			deadline := wire.Tick(n)
			mind = agent.Rows{
				Memory: &agent.MemoryRow{AgentID: who, Working: b}, State: &agent.StateRow{AgentID: who, Body: b},
				Experiences: []agent.ExperienceRow{{ID: n, Lesson: b}}, Beliefs: []agent.BeliefRow{{ID: n, Claim: b, Confidence: 0.5}},
				Plans: []agent.PlanRow{{ID: n, Steps: b, Status: uint8(n)}}, Goals: []agent.GoalRow{{AgentID: who, Priority: 0.25, Deadline: &deadline}},
			}
		}
		meta, lived := snapMetaRecord{newCycleRecord(&row, wire.Hash(who))}, newSnapMind(who, &mind)
		written := Image{Cycle: row, Rows: []world.Row{{System: wire.SystemAgora, Table: text, Key: who[:], Body: b}}, Heads: []world.Head{{System: wire.SystemMint, Table: text, Digest: wire.Hash(who), Count: n}}}
		var f snapFile
		for kind, body := range map[recordKind][]byte{
			snapMeta: snapMetaCodec.Append(nil, &meta), snapRow: snapRowCodec.Append(nil, &written.Rows[0]),
			snapHead: snapHeadCodec.Append(nil, &written.Heads[0]), snapMind: snapMindCodec.Append(nil, &lived),
		} {
			if err := f.addRecord(kind, body); err != nil {
				t.Fatalf("kind %d of a snapshot does not read back: %v", kind, err)
			}
		}
		f.img.Cycle, written.Minds = f.meta.Cycle.row(), []agent.Rows{mind}
		written.Rows[0].Table, written.Heads[0].Table = codec.CleanText(text), codec.CleanText(text)
		if diff := cmp.Diff(written, f.img, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("a snapshot reads back as another one:\n%s", diff)
		}
	})
}
