package engine

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kingdom/agent"
	"kingdom/wire"
)

// readSegment reads the bytes of a segment file as a journal is read: the bodies of
// the records before the first error, and that error, io.EOF at a clean end.
func readSegment(b []byte, number uint32, run wire.Hash) (bodies [][]byte, err error) {
	s := &segment{path: "fuzzed", number: number, r: bufio.NewReader(bytes.NewReader(b)), size: int64(len(b)), off: headerLen}
	if err := s.header(run); err != nil {
		return nil, err
	}
	for {
		body, err := s.next()
		if err != nil {
			return bodies, err
		}
		bodies = append(bodies, bytes.Clone(body))
	}
}

// known reports whether an error is one that reading a damaged file may give.
func known(err error) bool {
	var corrupt *CorruptError
	var mismatch *MismatchError
	return errors.Is(err, io.EOF) || errors.Is(err, errTorn) || errors.As(err, &corrupt) || errors.As(err, &mismatch)
}

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

// framed is a file of these bodies.
func framed(bodies [][]byte, number uint32, run wire.Hash) []byte {
	b := appendHeader(nil, number, run)
	for i, body := range bodies {
		b = appendRecord(b, number, uint64(i), func(dst []byte) []byte { return append(dst, body...) })
	}
	return b
}

// committedBodies are the records of the committed histories, one of each kind.
func committedBodies(f *testing.F) (bodies [][]byte) {
	f.Helper()
	files, err := filepath.Glob(filepath.Join(historiesDir, "*", journalDir, segmentName(1)))
	if err != nil || len(files) == 0 {
		f.Fatalf("no histories are committed: %v", err)
	}
	count := map[byte]int{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		all, err := readSegment(b, 1, wire.Hash(b[10:headerLen-4]))
		if !errors.Is(err, io.EOF) {
			f.Fatal(err)
		}
		for _, body := range all {
			if count[body[0]]++; count[body[0]] == 1 {
				bodies = append(bodies, body)
			}
		}
	}
	return bodies
}

// FuzzSegment: a file of any bytes never breaks the reader; what it takes is what
// the writer would have written.
func FuzzSegment(f *testing.F) {
	run := testRun.digest()
	good := framed(committedBodies(f), 1, run)
	f.Add(good)
	f.Add(good[:len(good)-3])
	f.Add(good[:headerLen])
	f.Add(append(bytes.Clone(good), 0, 0, 1))
	f.Add(append(appendHeader(nil, 1, run), 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		bodies, err := readSegment(b, 1, run)
		if !known(err) {
			t.Fatalf("an error of another kind: %v", err)
		}
		again := framed(bodies, 1, run)
		if len(bodies) > 0 && !bytes.HasPrefix(b, again) || errors.Is(err, io.EOF) && len(again) != len(b) {
			t.Fatalf("%d records were taken that the writer writes otherwise", len(bodies))
		}
	})
}

// FuzzSegment_Damage: whatever was recorded, one flipped byte is named as damage at
// or before its place, and never taken for a torn end; cutting the file leaves
// the records before the cut and a torn end.
func FuzzSegment_Damage(f *testing.F) {
	bodies := committedBodies(f)
	f.Add(joined(bodies...), uint32(headerLen), byte(1), uint32(0))
	f.Add(joined(bodies...), uint32(headerLen+3), byte(0x80), uint32(9))
	f.Add(joined([]byte{1}, []byte{2, 3}), uint32(2), byte(0xFF), uint32(1))
	f.Add([]byte{}, uint32(headerLen-1), byte(4), uint32(5))
	f.Fuzz(func(t *testing.T, data []byte, place uint32, flip byte, cut uint32) {
		run, bodies := testRun.digest(), split(data)
		whole := framed(bodies, 1, run)
		if got, err := readSegment(whole, 1, run); !errors.Is(err, io.EOF) || !slices.EqualFunc(got, bodies, bytes.Equal) {
			t.Fatalf("%d of %d records come back: %v", len(got), len(bodies), err)
		}
		if flip != 0 {
			i := int(place % uint32(len(whole)))
			bad := bytes.Clone(whole)
			bad[i] ^= flip
			got, err := readSegment(bad, 1, run)
			var corrupt *CorruptError
			var mismatch *MismatchError
			switch {
			case errors.As(err, &corrupt) && corrupt.Offset <= int64(i):
			case errors.As(err, &mismatch) && i < headerLen:
			default:
				t.Fatalf("byte %d flipped by %x: %v", i, flip, err)
			}
			if len(got) > len(bodies) || !slices.EqualFunc(got, bodies[:len(got)], bytes.Equal) {
				t.Fatalf("byte %d flipped by %x: other records were read", i, flip)
			}
		}
		keep := headerLen + int(cut%uint32(len(whole)-headerLen+1))
		got, err := readSegment(whole[:keep], 1, run)
		if !errors.Is(err, io.EOF) && !errors.Is(err, errTorn) || len(got) > len(bodies) || !slices.EqualFunc(got, bodies[:len(got)], bytes.Equal) {
			t.Fatalf("cut after %d bytes: %d records, %v", keep, len(got), err)
		}
		if clean := len(framed(got, 1, run)) == keep; clean != errors.Is(err, io.EOF) {
			t.Fatalf("cut after %d bytes, behind %d records: %v", keep, len(got), err)
		}
	})
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
		h := &history{cur: &segment{path: "fuzzed"}}
		if err := h.decode(b); err != nil {
			var corrupt *CorruptError
			if !errors.As(err, &corrupt) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		h.at()
		var again []byte
		switch h.kind {
		case recordThought:
			h.thought.thought()
			again = thoughtCodec.Append(b[:1:1], &h.thought)
		case recordInput:
			again = inputCodec.Append(b[:1:1], &h.input)
		case recordTick:
			again = tickCodec.Append(b[:1:1], &h.tick)
		case recordCycle:
			h.cycle.row()
			again = cycleCodec.Append(b[:1:1], &h.cycle)
		}
		if !bytes.Equal(again, b) {
			t.Fatalf("the record has a second form:\n%x\n%x", b, again)
		}
	})
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
	f.Add(joined(base[0]), uint32(headerLen), byte(0x20))
	f.Add(joined(append(base, []byte{byte(snapMind), 0x80})...), uint32(0), byte(0))
	f.Fuzz(func(t *testing.T, data []byte, place uint32, flip byte) {
		b := framed(split(data), cycle, run.digest())
		b[int(place%uint32(len(b)))] ^= flip
		if err := os.WriteFile(e.snapshotPath(cycle), b, 0o666); err != nil {
			t.Fatal(err)
		}
		img, _, err := e.readSnapshot(cycle)
		if err == nil && flip != 0 {
			t.Fatal("a snapshot with a flipped byte was read")
		}
		if err != nil {
			return
		}
		if len(img.Rows)+len(img.Heads)+len(img.Minds) > len(split(data)) {
			t.Fatal("more was read than is there")
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
	b, err := os.ReadFile((&Engine{dir: dir}).snapshotPath(0))
	if err != nil {
		f.Fatal(err)
	}
	all, err := readSegment(b, 0, wire.Hash(b[10:headerLen-4]))
	if !errors.Is(err, io.EOF) {
		f.Fatal(err)
	}
	count := map[byte]int{}
	for _, body := range all {
		if count[body[0]]++; count[body[0]] <= 2 && len(body) < 1<<10 && recordKind(body[0]) != snapMind {
			base = append(base, body)
		}
	}
	lived := newSnapMind(who, store.minds[who])
	return slices.Clip(base), [][]byte{snapMindCodec.Append([]byte{byte(snapMind)}, &lived)}
}
