package history_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/s2"
	"pgregory.net/rapid"

	"kingdom/sql/history"
	"kingdom/sql/table"
	"kingdom/wire/codec"
)

var bundle = history.NewBundle(table.Beliefs.Table, "evidence")

// beliefRow is a row of agent.beliefs that is founded on acts with these numbers.
func beliefRow(id int64, claim string, acts ...int) []any {
	evidence := codec.AppendArrayLen(nil, len(acts))
	for _, n := range acts {
		h := sha256.Sum256(fmt.Append(nil, n))
		evidence = codec.AppendBytes(evidence, h[:])
	}
	return []any{id, bytes.Repeat([]byte{7}, 32), []byte(claim), 0.5, evidence, 10 * id, 20 * id}
}

// Rows are read back whatever they hold.
func TestBundle_RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.Byte(), 0, 40)
		rows := [][]any{}
		for range rapid.IntRange(0, 9).Draw(t, "rows") {
			rows = append(rows, []any{
				rapid.Int64().Draw(t, "id"), text.Draw(t, "agent"), text.Draw(t, "claim"), rapid.Float64Range(0, 1).Draw(t, "confidence"),
				rapid.OneOf(text, rapid.Just(beliefRow(1, "", 1, 2, 1)[4].([]byte))).Draw(t, "evidence"), rapid.Int64().Draw(t, "formed"), rapid.Int64().Draw(t, "tested"),
			})
		}
		got, err := bundle.Unpack(bundle.Pack(rows))
		if d := cmp.Diff(rows, got); err != nil || d != "" {
			t.Fatalf("%v, differs (-want +got):\n%s", err, d)
		}
	})
}

// Evidence is compared with that of the row before, whatever came between the two in the buffer where it is shortened.
func TestBundle_EvidenceRelativeToPreviousRow(t *testing.T) {
	rows := [][]any{}
	for i, acts := range [][]int{{1}, {1}, {2}, {1}, {1, 2}, {1, 2}, {2, 1}, {2, 1}, {2, 1}, {1, 2}} {
		rows = append(rows, beliefRow(int64(i), "a claim", acts...))
	}
	got, err := bundle.Unpack(bundle.Pack(rows))
	if d := cmp.Diff(rows, got); err != nil || d != "" {
		t.Fatalf("%v, differs (-want +got):\n%s", err, d)
	}
}

func BenchmarkBundle_Pack(b *testing.B) {
	rows := [][]any{}
	for i := range 256 {
		rows = append(rows, beliefRow(int64(i), fmt.Sprintf("a claim about %d", i/4), i, i+1, i+2, i+3))
	}
	for b.Loop() {
		bundle.Pack(rows)
	}
}

// IDs that several beliefs refer to are stored once.
func TestBundle_StoresSharedIDsOnce(t *testing.T) {
	var one, shared, own [][]any
	for i := range 64 {
		acts := make([]int, 8)
		for j := range acts {
			acts[j] = i*8 + j
		}
		own = append(own, beliefRow(int64(i), "a claim", acts...))
		shared = append(shared, beliefRow(int64(i), "a claim", 1, 2, 3, 4, 5, 6, 7, 8))
	}
	one = append(one, shared[0])
	few, many, all := len(bundle.Pack(one)), len(bundle.Pack(shared)), len(bundle.Pack(own))
	if many-few > 64*16 || all-many < 63*8*32 {
		t.Errorf("one belief takes %d bytes, 64 on the same acts %d, on others %d", few, many, all)
	}
}

// So it does however many there are.
func TestBundle_StoresManySharedIDsOnce(t *testing.T) {
	acts := make([]int, 1000)
	for i := range acts {
		acts[i] = i
	}
	once := len(bundle.Pack([][]any{beliefRow(1, "a claim", acts...)}))
	if twice := len(bundle.Pack([][]any{beliefRow(1, "a claim", acts...), beliefRow(2, "another", acts...)})); twice > once+4*len(acts) {
		t.Errorf("a belief on 1,000 acts takes %d bytes, two on the same %d", once, twice)
	}
}

// Unpack names what is wrong with a value.
func TestBundle_Refuses(t *testing.T) {
	value := bundle.Pack([][]any{beliefRow(1, "a claim", 1, 2, 3), beliefRow(2, "another", 1)})
	changed := bytes.Clone(value)
	changed[len(changed)-1]++
	for want, b := range map[string][]byte{
		"checksum differs": changed,
		"its format is 09": {9, 1, 2},
		"its format is ,":  {},
	} {
		if _, err := bundle.Unpack(b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%x: %v, want an error with %q", b, err, want)
		}
	}
}

// FuzzBundle reads values that nobody wrote; what can be read is packed and read alike.
func FuzzBundle(f *testing.F) {
	for _, rows := range [][][]any{{}, {beliefRow(1, "a claim")}, {beliefRow(1, "a claim", 1, 2, 3), beliefRow(2, "another", 1)}, {beliefRow(-1, strings.Repeat("long ", 99), 7), beliefRow(1<<40, "", 7)}} {
		raw, err := s2.Decode(nil, bundle.Pack(rows)[5:])
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
		if len(rows) > 0 {
			f.Add(raw[:len(raw)-1])
			f.Add(append(bytes.Clone(raw), 0))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		block := s2.Encode(nil, raw)
		rows, err := bundle.Unpack(append(binary.LittleEndian.AppendUint32([]byte{2}, crc32.Checksum(block, crc32.MakeTable(crc32.Castagnoli))), block...))
		if err != nil {
			return
		}
		again, err := bundle.Unpack(bundle.Pack(rows))
		if d := cmp.Diff(rows, again, cmpopts.EquateNaNs()); err != nil || d != "" {
			t.Fatalf("%v, differs (-read +packed and read again):\n%s", err, d)
		}
	})
}
