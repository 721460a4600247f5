package adversary

import (
	"strings"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// lastAck returns the body of the reply to the last request; nil after a refusal.
func (s *slot) lastAck() any {
	if r := s.Sight.Reply; r != nil && r.Err == nil {
		return r.Body
	}
	return nil
}

// noteIDs reads a note that is a list of ids; what cannot be read is dropped.
func (s *slot) noteIDs(key string) []wire.Hash {
	var out []wire.Hash
	for _, text := range strings.Fields(s.recall(key)) {
		var id wire.Hash
		if codec.ParseHex(id[:], text) == nil {
			out = append(out, id)
		}
	}
	return out
}

// addNoteID adds an id to a list in a note, of which the newest 16 are kept.
func (s *slot) addNoteID(key string, id wire.Hash) {
	list := append(s.noteIDs(key), id)
	var text strings.Builder
	for _, h := range list[max(0, len(list)-16):] {
		text.WriteString(h.String() + " ")
	}
	s.remember(key, text.String())
}

// storeObject returns the move that stores a text.
func storeObject(text, why string) move {
	return move{"object_put", &wire.ObjectPut{TypeTag: wire.ObjectAtom, Data: []byte(text)}, why}
}

// atom returns the id of a text once it is stored.
func atom(text string) wire.Hash { return wire.ObjectID(wire.ObjectAtom, []byte(text)) }

// createSandbox makes a sandbox of a stored program, with the memory that costs nothing.
func createSandbox(code wire.Hash, ticks uint64, persistent bool, why string) move {
	return move{"sandbox_create", &wire.SandboxCreate{Code: code, MemoryQuota: 65_536, TickBudget: ticks, Persistent: persistent}, why}
}

func startSandbox(sandbox wire.Hash, why string) move {
	return move{"exec_start", &wire.ExecStart{SandboxID: sandbox}, why}
}

// folder returns the id and the objects of a directory of texts. The names must ascend.
func folder(names []string, texts ...string) (wire.Hash, *[]wire.InlineObject) {
	var t wire.Tree
	var objects []wire.InlineObject
	for i, name := range names {
		t.Entries = append(t.Entries, wire.TreeEntry{Key: []byte(name), Value: atom(texts[i]), Kind: wire.TreeEntryKindAtom})
		objects = append(objects, wire.InlineObject{TypeTag: wire.ObjectAtom, Data: []byte(texts[i])})
	}
	return tree(&t, objects)
}

// tree adds a directory to objects and returns its id.
func tree(t *wire.Tree, objects []wire.InlineObject) (wire.Hash, *[]wire.InlineObject) {
	data := wire.TreeCodec.Append(nil, t)
	objects = append(objects, wire.InlineObject{TypeTag: wire.ObjectTree, Data: data})
	return wire.ObjectID(wire.ObjectTree, data), &objects
}

// public returns the policy of a repo that all may read and fork.
func public() wire.AccessPolicy {
	return wire.AccessPolicy{Read: wire.ReadAccess{Public: true}, Write: wire.WriteAccess{OwnerOnly: true}, Fork: true}
}

// repo makes a repo that all may read.
func repo(name string, root wire.Hash, objects *[]wire.InlineObject, why string) move {
	return move{"repo_create", &wire.RepoCreate{Name: []byte(name), AccessPolicy: public(), Root: &root, Objects: objects}, why}
}

// fork makes a repo of another's.
func fork(of wire.Hash, name, why string) move {
	return move{"repo_create", &wire.RepoCreate{
		Name: []byte(name), AccessPolicy: public(), ForkOf: &of, Message: wire.ForkNoteCodec.Append(nil, &wire.ForkNote{ForkOf: of}),
	}, why}
}

// tag gives a snap a name, and publishes its repo under a category.
func tag(repo, snap wire.Hash, name, category, why string) move {
	return move{"tag_create", &wire.TagCreate{
		Repo: repo, Name: []byte(name), Target: snap, Message: []byte("new"),
		Publish: &wire.Publication{Category: [][]byte{[]byte(category)}, Description: []byte(name)},
	}, why}
}

// asksForPrograms reports whether a bounty has a check that Forge runs.
func asksForPrograms(b *wire.BountyView) bool {
	for i := range b.Requirements {
		if k := b.Requirements[i].Kind; k == wire.RequirementKindMustCompile || k == wire.RequirementKindMustPassTests {
			return true
		}
	}
	return false
}

// claimProgram claims a bounty that asks for a program, once in a part of the cycle.
func (s *slot) claimProgram() (move, bool) {
	for i := range s.view.Bounties {
		if b := &s.view.Bounties[i]; !b.Barred && b.Status == wire.BountyStatusOpen && asksForPrograms(b) {
			return move{"bounty_claim", &wire.BountyClaim{BountyID: b.ID}, "claims work on a program"}, true
		}
	}
	return move{}, false
}

// claimed returns a bounty for a program that the agent holds and has to deliver, nil if there is none.
func (s *slot) claimed() *wire.BountyView {
	for i := range s.view.Claims {
		if b := &s.view.Claims[i]; s.hasClaimed(b) && asksForPrograms(b) {
			return b
		}
	}
	return nil
}
