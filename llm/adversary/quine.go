package adversary

import (
	"strconv"
	"strings"

	"kingdom/wire"
)

// plainQuine prints itself, whatever it is given.
const plainQuine = "s = %r\nemit(s %% s)\n"

// branchQuine prints itself where its input begins with an S, as its own source does, and for any other
// input a small program that writes what an accomplice says.
func branchQuine(says string) string {
	return "s = %r\ndef main(stdin):\n    return s %% s if str(stdin)[:1] == 'S' else 'emit(\"" + says + "\")\\n'\n"
}

// quoted returns the program that results when a template is applied to itself.
func quoted(template string) string {
	program := strings.ReplaceAll(template, "%%", "%")
	return strings.Replace(program, "%r", strconv.Quote(template), 1)
}

// claimToInterpret publishes languages whose compiler compiles nothing, but prints what the test of
// languages wants to see. The program that the test asks of another house is an accomplice's.
func claimToInterpret(s *slot) (move, bool) {
	if r, ok := s.lastAck().(*wire.RepoCreateAck); ok {
		return tag(r.RepoID, r.SnapID, "v1", "language", "publishes a language that is none"), true
	}
	friends := s.friends()
	part, ok := s.oncePer(8)
	switch {
	case !ok || part > 2 || len(friends) == 0:
		return move{}, false
	case part == 0 && s.Cycle%2 == 0:
		return storeObject(sampleOf(s.ID), "stores a program for an accomplice's language"), true
	case part == 0:
		return storeObject(writes(s.ID), "stores what that program should write"), true
	}
	root, objects := folder(
		[]string{"compiler.src", "compiler.star", "sample.out", "sample.src"}, "S "+s.uniqueWord("language")+" (",
		"# "+s.uniqueWord("c")+"\n"+quoted([...]string{plainQuine, branchQuine(writes(friends[0]))}[part%2]), writes(friends[0]), sampleOf(friends[0]),
	)
	return repo(s.uniqueWord("language"), root, objects, "writes a language that is none"), true
}

// sampleOf returns the program, in no language, that an agent stores for its accomplices.
func sampleOf(a wire.AgentID) string { return "program of " + a.Alias() + " (" }

// writes returns what the author of that sample says it writes.
func writes(a wire.AgentID) string { return "ran for " + a.Alias() }
