package ooda

import (
	"fmt"
	"strings"
	"testing"

	"kingdom/memory"
	"kingdom/wire"
)

// Whatever Vault answers, a mind is shown the ids that it needs to go on.
func TestReadThings(t *testing.T) {
	id, other := wire.Hash{7}, wire.Hash{8}
	path := [][]byte{[]byte("lib"), []byte("a.star")}
	tree := wire.TreeCodec.Append(nil, &wire.Tree{Entries: []wire.TreeEntry{{Key: []byte("main.star"), Value: other, Kind: wire.TreeEntryKindAtom}}})
	for _, c := range []struct {
		body any
		want string
	}{
		{&wire.RepoCreateAck{RepoID: id, SnapID: id}, "07 new repo"},
		{&wire.SnapCreateAck{SnapID: id}, "07 new snap"},
		{&wire.ObjectPutAck{ObjectID: id}, "07 stored object"},
		{&wire.TagCreateAck{TagID: id}, "07 new tag"},
		{
			&wire.MergeReply{Result: id, Conflicts: []wire.Conflict{{Path: path, RightOp: wire.DeltaOp{Delete: &wire.DeleteOp{Path: path}}}}},
			`07 merged snap, 1 conflict; 00 conflict, right side DELETE "lib/a.star"`,
		},
		{
			&wire.DeltaComputeReply{Delta: wire.Delta{Ops: []wire.DeltaOp{{Insert: &wire.InsertOp{Path: path, ObjectID: other}}, {Replace: &wire.ReplaceOp{Path: path, NewID: id}}}}},
			`08 INSERT "lib/a.star"; 07 REPLACE "lib/a.star"`,
		},
		{&wire.SnapGetReply{Snap: wire.Snap{Parent: &other, Root: id, Message: []byte("why")}}, "07 tree of the snap: why; 08 snap before it"},
		{&wire.ObjectGetReply{TypeTag: wire.ObjectAtom, Data: []byte("print(1)")}, "09 object of 8 bytes: print(1)"},
		{&wire.ObjectGetReply{TypeTag: wire.ObjectTree, Data: tree}, `08 ATOM "main.star"`},
		{
			&wire.RegistryQueryReply{Entries: []wire.RegistryEntry{{RepoID: id, Name: []byte("text"), Description: []byte("joins"), Popularity: 2}}},
			`07 repo "text", quality 0.00, used by 2: joins`,
		},
		{&wire.RegistryQueryReply{Entries: []wire.RegistryEntry{{RepoID: id, Name: []byte("text"), Tag: &other, Snap: &id}}}, `07 repo "text", quality 0.00, used by 0 tag 08 of 07`},
		{&wire.MsgPostAck{}, ""},
	} {
		var got []string
		for _, x := range readThings(wire.Hash{9}, c.body) {
			s := fmt.Sprintf("%02x %s", x.ID[0], x.What)
			if len(x.Text) > 0 {
				s += ": " + string(x.Text)
			}
			if x.Tag != nil {
				s += fmt.Sprintf(" tag %02x of %02x", x.Tag[0], x.Snap[0])
			}
			got = append(got, s)
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%T shows %q, want %q", c.body, s, c.want)
		}
	}
}

// What is kept of a look is bounded and keeps no reply alive.
func TestReadThings_AreBounded(t *testing.T) {
	data := []byte(strings.Repeat("x", 100_000))
	var l memory.Readings
	l.Add(memory.Reading{Things: readThings(wire.Hash{9}, &wire.ObjectGetReply{TypeTag: wire.ObjectAtom, Data: data})})
	if x := l[0].Things[0]; len(x.Text) == 0 || len(x.Text) > memory.ReadingText || &x.Text[0] == &data[0] {
		t.Errorf("%d bytes are kept", len(x.Text))
	}
}

// TestReadThings_FillOneLookAtMost: of many things as many are shown as one look holds, those that lead on first.
func TestReadThings_FillOneLookAtMost(t *testing.T) {
	files := make([]wire.TreeEntry, 2*memory.ReadingItems)
	for i := range files {
		files[i] = wire.TreeEntry{Key: fmt.Appendf(nil, "%02d.star", i), Value: wire.Hash{byte(i)}, Kind: wire.TreeEntryKindAtom}
	}
	for name, body := range map[string]any{
		"the first snap":  &wire.SnapGetReply{Entries: files},
		"a later snap":    &wire.SnapGetReply{Snap: wire.Snap{Parent: &wire.Hash{8}}, Entries: files},
		"a directory":     &wire.ObjectGetReply{TypeTag: wire.ObjectTree, Data: wire.TreeCodec.Append(nil, &wire.Tree{Entries: files})},
		"a merge":         &wire.MergeReply{Conflicts: make([]wire.Conflict, 2*memory.ReadingItems)},
		"a delta":         &wire.DeltaComputeReply{Delta: wire.Delta{Ops: make([]wire.DeltaOp, 2*memory.ReadingItems)}},
		"what is on sale": &wire.RegistryQueryReply{Entries: make([]wire.RegistryEntry, 2*memory.ReadingItems)},
	} {
		if got := readThings(wire.Hash{9}, body); len(got) != memory.ReadingItems {
			t.Errorf("%s shows %d things, want %d", name, len(got), memory.ReadingItems)
		}
	}
}
