package agora

import (
	"strings"
	"testing"

	"kingdom/wire"
)

// A few who agree do not decide against many who disagree, with or without a reference.
func TestDecision_TwoDoNotOutweighEighteen(t *testing.T) {
	l := newLab(t)
	for n := byte(1); n <= 24; n++ {
		l.crowd.repute[agent(n)] = 0.25
	}
	ch := rfc(l)
	p := l.say(1, ch, wire.MessageKindProposal, "Call the entries of agents 4 to 24 INACCURATE")
	l.say(2, ch, wire.MessageKindStatement, "yes")
	l.say(3, ch, wire.MessageKindStatement, "indeed")
	l.must(agent(1), &wire.MsgPost{Channel: ch, Kind: wire.MessageKindStatement, Content: wire.ContentCodec.Append(nil, &wire.Content{Type: ptr("call_vote")}), References: []wire.Hash{}, Confidence: 1})
	for n := byte(2); n <= 3; n++ {
		l.must(agent(n), signalOf(p, wire.SignalKindAgree))
	}
	for n := byte(4); n <= 21; n++ {
		l.must(agent(n), signalOf(p, wire.SignalKindDisagree))
	}
	l.endCycle()
	l.endCycle()
	l.phase(ch, wire.DiscussionPhaseDecision)
	var said []string
	for _, e := range l.d.archive.decisions(l.d.archive.log(ch)) {
		said = append(said, string(l.d.archive.text(e)))
	}
	if len(said) != 1 || !strings.HasPrefix(said[0], "Rejected: ") {
		t.Errorf("decisions %q, want one that rejects", said)
	}
}
