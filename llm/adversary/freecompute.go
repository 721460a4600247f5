package adversary

import (
	"strings"

	"kingdom/wire"
)

// library is a module of nearly the greatest length, and burner a program that does nothing but
// work.
var library = strings.Repeat("x = 1\n", 240_000/6) + "def serve(data, state):\n    return data\n"

// libraryID is the id of library once it is stored.
var libraryID = atom(library)

const burner = "n = 0\nwhile True:\n    n = n + 1\n"

// computeForNothing uses up its own CPU quota and then goes on: it asks for links that fail at the
// last name, submits programs that Forge has to run before it can refuse them, and calls others'
// services, those first that take no fee.
func computeForNothing(s *slot) (move, bool) {
	switch r := s.lastAck().(type) {
	case *wire.SandboxCreateAck:
		return startSandbox(r.SandboxID, "uses its quota up"), true
	case *wire.RepoCreateAck:
		s.remember("work", r.SnapID.String())
	case *wire.ObjectPutAck:
		s.remember("library", "stored")
	}
	if m, ok := s.claimProgram(); ok && s.Slot%4 == 0 {
		return m, true
	}
	part, ok := s.oncePer(4)
	switch work := s.noteIDs("work"); {
	case s.recall("library") == "":
		if !ok {
			return move{}, false
		}
		return storeObject(library, "stores a long module"), true
	case len(work) == 0:
		root, objects := folder([]string{"main.star"}, "# "+s.Alias+"\n"+burner)
		return repo(s.uniqueWord("work"), root, objects, "stores a program that works without end"), true
	case ok && part == 0:
		return s.linkInVain(), true
	case ok && part == 3 && s.view.ForgeTicks > 1: // a tick is for reading it
		return createSandbox(atom("# "+s.Alias+"\n"+burner), s.view.ForgeTicks-1, false, "prepares to use its quota up"), true
	case ok && part%4 == 2:
		if m, ok := s.callOthers(); ok {
			return m, true
		}
	default:
		if b := s.claimed(); b != nil && s.view.ForgeTicks < 100 {
			return move{"bounty_submit", &wire.BountySubmit{BountyID: b.ID, SubmissionSnap: work[0]}, "has its program run by a bounty"}, true
		}
	}
	return s.linkInVain(), true
}

// linkInVain names a module three times, as often as the quota of a cycle allows, and asks for what it
// does not have at the end.
func (s *slot) linkInVain() move {
	imports := make([]wire.LinkImport, 3)
	for i := range imports {
		imports[i] = wire.LinkImport{From: libraryID, Symbols: [][]byte{[]byte("x")}}
	}
	imports[2].Symbols = [][]byte{[]byte("nothing")}
	return move{"link_resolve", &wire.LinkResolve{Program: libraryID, Imports: imports}, "has long modules read in vain"}
}

// callOthers calls a service with what its function does not expect.
func (s *slot) callOthers() (move, bool) {
	var at *wire.ServiceView
	for i := range s.view.Services {
		if v := &s.view.Services[i]; at == nil || v.Fee < at.Fee {
			at = v
		}
	}
	if at == nil {
		return move{}, false
	}
	return move{"service_call", &wire.ServiceCall{ServiceID: at.ID, Endpoint: at.Endpoint, Data: []byte(s.filler(4_000))}, "calls a service with junk"}, true
}
