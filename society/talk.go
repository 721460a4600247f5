package society

import (
	"regexp"

	"kingdom/wire"
)

const noSignal = "nobody signalled"

func (r *Run) signals() (out []*wire.SignalSentEvent) {
	for i := range r.Events {
		if s, ok := r.Events[i].Payload.(*wire.SignalSentEvent); ok {
			out = append(out, s)
		}
	}
	return out
}

func negative(k wire.SignalKind) bool {
	return k == wire.SignalKindDisagree || k == wire.SignalKindIncorrect || k == wire.SignalKindDuplicate
}

func signalShare(r *Run) figure {
	if len(r.Acts) == 0 {
		return none(noAct)
	}
	return value(r.countActions().of("signal_send")/float64(len(r.Acts)), len(r.Acts))
}

func signalNegative(r *Run) figure {
	all, bad := r.signals(), 0
	for _, s := range all {
		if negative(s.Kind) {
			bad++
		}
	}
	if len(all) == 0 {
		return none(noSignal)
	}
	return value(float64(bad)/float64(len(all)), len(all))
}

// signalInformation takes the entry that a signal is about itself, else the first one that the
// message refers to.
func signalInformation(r *Run) figure {
	accuracy := map[wire.Hash]float64{}
	for i := range r.Entries {
		accuracy[r.Entries[i].ID] = r.Entries[i].Accuracy
	}
	about := map[wire.Hash]wire.Hash{}
	for i := range r.Messages {
		m := &r.Messages[i]
		for _, ref := range m.Refs {
			if _, known := accuracy[ref]; known {
				about[m.ID] = ref
				break
			}
		}
	}
	var joint [][2]string
	for _, s := range r.signals() {
		target := s.TargetID
		if entry, ok := about[target]; ok {
			target = entry
		}
		if a, known := accuracy[target]; known {
			joint = append(joint, [2]string{yesNo(negative(s.Kind)), yesNo(a >= 0.5)})
		}
	}
	if len(joint) == 0 {
		return none("no signal is about an entry, or a message that refers to one")
	}
	i, _ := information(joint)
	return value(i, len(joint))
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// thread is a question of an agent with the answers that refer to it.
type thread struct {
	question *Message
	answers  []*Message // by tick
}

func (r *Run) threads() (out []thread) {
	at := map[wire.Hash]int{}
	for i := range r.Messages {
		m := &r.Messages[i]
		if m.Kind == wire.MessageKindQuestion && m.Author >= 0 {
			at[m.ID] = len(out)
			out = append(out, thread{question: m})
		}
		if m.Kind != wire.MessageKindAnswer || m.Author < 0 {
			continue
		}
		for _, ref := range m.Refs {
			if q, ok := at[ref]; ok {
				out[q].answers = append(out[q].answers, m)
			}
		}
	}
	return out
}

const noQuestion = "nobody asked"

func questionsAnswered(r *Run) figure {
	all, answered := r.threads(), 0
	for i := range all {
		if len(all[i].answers) > 0 {
			answered++
		}
	}
	if len(all) == 0 {
		return none(noQuestion)
	}
	return value(float64(answered)/float64(len(all)), len(all))
}

func answersPerQuestion(r *Run) figure {
	all, answers := r.threads(), 0
	for i := range all {
		answers += len(all[i].answers)
	}
	if len(all) == 0 {
		return none(noQuestion)
	}
	return value(float64(answers)/float64(len(all)), len(all))
}

func firstAnswer(r *Run) figure {
	var waits []float64
	for _, q := range r.threads() {
		if len(q.answers) > 0 {
			waits = append(waits, float64(q.answers[0].Tick-q.question.Tick))
		}
	}
	if len(waits) == 0 {
		return none("no question was answered")
	}
	return value(median(waits), len(waits))
}

// maskedParts matches aliases of agents and numbers, in which otherwise equal texts differ.
var maskedParts = regexp.MustCompile(`\b[0-9a-f]{8}\b|[0-9]+`)

func masked(text string) string { return maskedParts.ReplaceAllString(text, "#") }

// textWindow is how many messages are compared with each other.
const textWindow = 500

func textsDistinct(r *Run) figure {
	var texts []string
	for i := range r.Messages {
		if m := &r.Messages[i]; m.Author >= 0 {
			texts = append(texts, masked(m.Text))
		}
	}
	if len(texts) == 0 {
		return none("nobody wrote")
	}
	sum, windows := 0.0, 0
	for from := 0; from == 0 || from+textWindow <= len(texts); from += textWindow {
		part := texts[from:min(from+textWindow, len(texts))]
		sum += distinct(part)
		windows++
	}
	return value(sum/float64(windows), len(texts))
}

func questionsDistinct(r *Run) figure {
	var texts []string
	for _, q := range r.threads() {
		texts = append(texts, masked(q.question.Text))
	}
	if len(texts) == 0 {
		return none(noQuestion)
	}
	return value(distinct(texts), len(texts))
}

func distinct(texts []string) float64 {
	c := newCounter()
	for _, t := range texts {
		c.add(t)
	}
	return float64(len(c.words)) / c.total
}
