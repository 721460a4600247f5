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

// A decision takes most of the signals and most of their weight. A signal weighs what its sender's reputation is when the
// decision is made: it may have had none when it sent it.
func TestDecision_HeadsAndWeightsAtTheEnd(t *testing.T) {
	for _, tc := range []struct {
		name            string
		agree, disagree int
		then, now       [2]float64 // reputations of those who agree and of those who disagree, at the signal and at the decision
		want            string
	}{
		{"more and heavier", 2, 1, [2]float64{0.5, 0.5}, [2]float64{0.5, 0.5}, "Approved: "},
		{"outweighed since", 2, 1, [2]float64{0.5, 0}, [2]float64{0.25, 0.75}, "Rejected: "},
		{"heavier since", 2, 1, [2]float64{0, 0.5}, [2]float64{0.5, 0.5}, "Approved: "},
		{"heavier, but as few", 2, 2, [2]float64{0.5, 0.25}, [2]float64{0.5, 0.25}, "Rejected: "},
		{"more, and nobody has a reputation", 3, 0, [2]float64{0, 0}, [2]float64{0, 0}, "Approved: "},
		{"fewer, and nobody has a reputation", 1, 2, [2]float64{0, 0}, [2]float64{0, 0}, "Rejected: "},
		{"more, and only one who disagrees has a reputation", 2, 1, [2]float64{0, 0}, [2]float64{0, 0.25}, "Rejected: "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab(t)
			ch := rfc(l)
			p := l.say(1, ch, wire.MessageKindProposal, "Use tabs")
			l.say(2, ch, wire.MessageKindStatement, "yes")
			l.say(3, ch, wire.MessageKindStatement, "indeed")
			l.must(agent(1), signalOf(p, wire.SignalKindAgree)) // the proposer does not count
			for n := range tc.agree + tc.disagree {
				side, kind := 0, wire.SignalKindAgree
				if n >= tc.agree {
					side, kind = 1, wire.SignalKindDisagree
				}
				a := agent(byte(2 + n))
				l.crowd.repute[a] = tc.then[side]
				l.must(a, signalOf(p, kind))
				l.crowd.repute[a] = tc.now[side]
			}
			l = l.restored()
			for range 3 {
				l.endCycle()
			}
			l.phase(ch, wire.DiscussionPhaseDecision)
			said := l.d.archive.decisions(l.d.archive.log(ch))
			if got := string(l.d.archive.text(said[0])); got != tc.want+"Use tabs" {
				t.Errorf("decision %q, want %q", got, tc.want)
			}
		})
	}
}
