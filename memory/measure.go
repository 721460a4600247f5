package memory

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"kingdom/det"
	"kingdom/wire"
)

// Measure is a question about the world that an agent answers by counting what it observes. With a subject it is the
// key of a finding and of the entry that states it.
type Measure uint8

// The closed list of measures: what the value is, and of what. Shares are in [0,1]. An era is a period of five cycles.
// The words of a measure (wording.go) are the titles of entries, so that agents know which are about the same thing.
const (
	MeasureReward      Measure = iota + 1 // ⚡ that a bounty offers; subject: a difficulty
	MeasureTaken                          // ticks until a bounty is claimed; subject: a difficulty
	MeasureEnds                           // share of bounties that are delivered and paid; subject: a difficulty
	MeasureKeeps                          // share of promises kept; subject: an agent
	MeasureDelivers                       // share of deliveries that pass; subject: an agent
	MeasurePace                           // ticks from claim to payment; subject: an agent
	MeasureChannel                        // ticks until a question is answered; subject: a channel
	MeasureAsked                          // share of messages that are questions; subject: a channel
	MeasureLook                           // unread messages that a look shows; subject: a channel
	MeasureAnswers                        // ticks until it answers a question; subject: an agent
	MeasureHelps                          // share of its messages that are answers; subject: an agent
	MeasureAuthor                         // share of verdicts on its entries that are ACCURATE; subject: an agent
	MeasureGenre                          // the same of a kind of entry; subject: a kind of entry
	MeasureJudge                          // share of its verdicts that are ACCURATE; subject: an agent
	MeasureStanding                       // reputation; subject: an agent
	MeasureKind                           // share of its signals that approve; subject: an agent
	MeasureWelcome                        // share of signals that approve; subject: a kind of message
	MeasureReviewer                       // share of its reviews that approve; subject: an agent
	MeasureSteps                          // forge ticks of a run; subject: a program
	MeasureDependent                      // repos that depend on it; subject: a repo
	MeasurePays                           // ⚡ that its bounties offer; subject: who sets bounties: an agent or a system
	MeasureEarns                          // ⚡ that a delivered bounty brings it; subject: an agent
	MeasureDemand                         // share of questions that are about it; subject: a topic
	MeasureSolved                         // ticks until a question is answered; subject: a topic
	MeasureField                          // share of verdicts that are ACCURATE; subject: a topic
	MeasureJudged                         // ticks until an entry gets its first verdict; subject: a topic
	MeasureVersed                         // share of verdicts that are ACCURATE; subject: an agent and a topic
	MeasureSleeps                         // share of its sleeps that were for want of ⚡; subject: an agent
	MeasureWakes                          // share of its wakes that others caused; subject: an agent
	MeasureRefused                        // share of tries that are refused; subject: an action
	MeasureEraVerdicts                    // share of verdicts that are ACCURATE; subject: an era, see AppendEra
	MeasureEraField                       // the same of a topic; subject: a topic in an era
	MeasureEraAnswers                     // ticks until an answer; subject: an era
	MeasureEraPay                         // ⚡ that a bounty offers; subject: an era
	MeasureEraTaken                       // ticks until a bounty is claimed; subject: an era
	MeasureEraEnds                        // share of bounties that are delivered and paid; subject: an era
	MeasureEraAsked                       // share of messages that are questions; subject: an era
	MeasureEraReviews                     // share of reviews that approve; subject: an era
	MeasureEraSleeps                      // share of sleeps that were for want of ⚡; subject: an era
	MeasureEraRefused                     // share of tries that are refused; subject: an era
	MeasureEraAuthor                      // share of verdicts on its entries that are ACCURATE; subject: an agent in an era
	MeasureEraJudge                       // share of its verdicts that are ACCURATE; subject: an agent in an era
	MeasureEraBuilt                       // repos that depend on one that got a new dependent; subject: an era
	MeasureEraGenre                       // share of verdicts that are ACCURATE; subject: a kind of entry in an era
	MeasureEraChannel                     // share of messages that are questions; subject: a channel in an era
	MeasurePattern                        // the right way to write it; no number; subject: a pattern of Starlark
	measures           = int(MeasurePattern)
)

// Topic is a field of knowledge. An agent counts only in the topics that it knows.
type Topic uint8

// The closed list of topics.
const (
	TopicBounties  Topic = iota + 1 // what bounties pay and how they end
	TopicPromises                   // who keeps its word
	TopicTalk                       // channels, questions and answers
	TopicVerdicts                   // whose entries are right, and who judges how
	TopicStanding                   // reputation, and how words are received
	TopicReviews                    // who reviews how
	TopicPrograms                   // what programs cost
	TopicLibraries                  // who builds on what
	TopicRules                      // what the world takes and refuses
	TopicText                       // Starlark: strings
	TopicData                       // Starlark: lists and dicts
	TopicControl                    // Starlark: numbers, loops and functions
	Topics         = int(TopicControl)
)

var topicNames = [...]string{
	"", "bounty-pay", "promise-keeping", "channel-talk", "entry-verdicts", "peer-standing", "review-habits", "program-costs", "library-use", "world-rules",
	"starlark-text", "starlark-data", "starlark-control",
}

// String returns the name, which is also the tag of entries.
func (t Topic) String() string { return topicNames[t] }

// patterns are the patterns of Starlark that agents may know, by topic.
var patterns = [...]struct {
	word  string
	topic Topic
}{
	{"accumulate", TopicText},
	{"dispatch", TopicData},
	{"enumerate", TopicData},
	{"default", TopicData},
	{"slice", TopicData},
	{"gcd", TopicControl},
	{"clamp", TopicControl},
	{"struct", TopicControl},
	{"reverse", TopicText},
	{"flatten", TopicData},
	{"memo", TopicControl},
	{"validate", TopicText},
}

// IsPattern reports whether a word is one of the patterns of Starlark that agents may know.
func IsPattern(word []byte) bool {
	for i := range patterns {
		if patterns[i].word == string(word) {
			return true
		}
	}
	return false
}

// Patterns returns the patterns of Starlark that belong to a topic.
func Patterns(t Topic) (words []string) {
	for i := range patterns {
		if patterns[i].topic == t {
			words = append(words, patterns[i].word)
		}
	}
	return words
}

// Topic returns the topic of a measure; for patterns it depends on the subject.
func (m Measure) Topic(subject []byte) Topic { return topicOf(m, subject) }

// Topic returns the topic that the finding belongs to.
func (f *Finding) Topic() Topic { return topicOf(f.Measure, f.Subject()) }

func topicOf[S []byte | string](m Measure, subject S) Topic {
	if m == MeasurePattern {
		for i := range patterns {
			if patterns[i].word == string(subject) {
				return patterns[i].topic
			}
		}
		return TopicControl
	}
	return wordings[m].topic
}

// MinObservations returns how many observations a statement requires: three, and up to eight for careful agents; of a period, which
// soon is over, four at most. care is in [0,1].
func (m Measure) MinObservations(care float64) uint32 {
	if n := wordings[m].minObservations; n > 0 {
		return n
	}
	const least = 3
	more := 5.0
	if m.Era() {
		more = 1
	}
	return least + uint32(float64(more*care)+0.5)
}

// SubjectOf returns the subject of a measure about an agent in a topic.
func (t Topic) SubjectOf(alias []byte) []byte {
	return append(append(alias, " about "...), t.String()...)
}

// Private reports whether a measure is about something that only the agent itself can observe, such as what its own
// program cost. Counts of others are then not comparable.
func (m Measure) Private() bool { return m == MeasureLook || m == MeasureSteps }

// Testable reports whether every agent can find out a measure by trying it.
func (m Measure) Testable() bool { return m == MeasureRefused }

// Title returns the title of an entry that states the measure of a subject.
func (m Measure) Title(subject []byte) string { return insertSubject(wordings[m].title, subject) }

// Question returns the question for the measure of a subject.
func (m Measure) Question(subject []byte) string { return insertSubject(wordings[m].question, subject) }

// Title returns the title of an entry that states the finding.
func (f *Finding) Title() string { return insertSubject(wordings[f.Measure].title, f.Subject()) }

func insertSubject[S []byte | string](words string, subject S) string {
	var room [256]byte
	return string(appendWithSubject(room[:0], words, subject))
}

// appendWithSubject appends words with the subject in place of the %s.
func appendWithSubject[S []byte | string](dst []byte, words string, subject S) []byte {
	i := strings.IndexByte(words, '%')
	return append(append(append(dst, words[:i]...), subject...), words[i+len("%s"):]...)
}

// Statement returns the statement of the finding: a sentence with the value, the number of observations and the last cycle
// observed. A pattern has none, because its entry contains a program.
func (f *Finding) Statement() string {
	w := &wordings[f.Measure]
	if w.statement == "" {
		return ""
	}
	var room [256]byte // prompts say a dozen findings in each slot
	b := strconv.AppendFloat(appendWithSubject(room[:0], w.statement, f.Subject()), float64(f.Value), 'f', f.digits(), 64)
	b = append(append(b, w.statementEnd...), counted...)
	b = append(strconv.AppendUint(b, uint64(f.N), 10), ", cycle "...)
	return string(append(strconv.AppendUint(b, uint64(f.At), 10), ')'))
}

// digits returns the number of decimals with which a value is written.
func (f *Finding) digits() int {
	if wordings[f.Measure].unit == unitCount {
		return 1
	}
	return 2
}

// ReadTitle returns what an entry with a title is about; ok is false if it is about none of the measures.
func ReadTitle(title []byte) (m Measure, subject []byte, ok bool) { return readKey(title, &titles) }

// ReadQuestion returns what a text asks for; text after the question is ignored.
func ReadQuestion(text []byte) (m Measure, subject []byte, ok bool) {
	if i := bytes.IndexByte(text, '?'); i >= 0 {
		return readKey(text[:i+1], &questions)
	}
	return 0, nil, false
}

// counted separates the value of a statement from the number of observations.
const counted = " (n "

// frame is the text before and after the subject in a title, question or statement of a measure.
type frame struct{ before, after string }

// The frames of all titles and questions: agents parse these in every slot, so the templates are split once.
var (
	titles    = framesOf(func(w *wording) string { return w.title })
	questions = framesOf(func(w *wording) string { return w.question })
	// of statements, the part up to the value
	statements = framesOf(func(w *wording) string { return w.statement })
	// byFirstByte lists the measures by the first byte of their statements
	byFirstByte = indexByFirstByte(&statements)
)

func indexByFirstByte(frames *[measures + 1]frame) (out [256][]Measure) {
	for m := 1; m <= measures; m++ {
		if b := frames[m].before; b != "" {
			out[b[0]] = append(out[b[0]], Measure(m))
		}
	}
	return out
}

func framesOf(words func(*wording) string) (out [measures + 1]frame) {
	for m := 1; m <= measures; m++ {
		out[m].before, out[m].after, _ = strings.Cut(words(&wordings[m]), "%s")
	}
	return out
}

func readKey(text []byte, frames *[measures + 1]frame) (m Measure, subject []byte, ok bool) {
	for i := 1; i <= measures; i++ {
		f := &frames[i]
		from, to := len(f.before), len(text)-len(f.after) // where the subject is
		if to <= from || text[0] != f.before[0] || text[from-1] != f.before[from-1] || to < len(text) && text[len(text)-1] != f.after[len(f.after)-1] {
			continue // a cheap test that excludes most measures
		}
		if string(text[:from]) != f.before || string(text[to:]) != f.after {
			continue
		}
		if s := text[from:to]; len(s) <= subjectMax && bytes.IndexByte(s, '\n') < 0 {
			return Measure(i), s, true
		}
	}
	return 0, nil, false
}

// NextStatement finds the first statement in the text of a message, and returns the rest of the text after it.
func NextStatement(text []byte) (f Finding, rest []byte, ok bool) {
	if !bytes.Contains(text, []byte(counted)) { // most texts state nothing
		return f, nil, false
	}
	var seen [measures + 1]bool // of a measure only the first occurrence is parsed
	for at, c := range text {
		for _, m := range byFirstByte[c] {
			before, after := statements[m].before, statements[m].after
			if seen[m] || len(text)-at < len(before) || string(text[at:at+len(before)]) != before {
				continue
			}
			seen[m] = true
			subject, said, closed := bytes.Cut(text[at+len(before):], []byte(after))
			if !closed || len(subject) > subjectMax {
				continue
			}
			if f, ok = ReadStatement(m, subject, text[at:]); ok {
				return f, said, true
			}
		}
	}
	return Finding{}, nil, false
}

// ReadStatement finds the statement about a measure of a subject in the text of an entry or message.
func ReadStatement[S []byte | string](m Measure, subject S, text []byte) (f Finding, ok bool) {
	w := &wordings[m]
	if w.statement == "" {
		return f, false
	}
	var room [256]byte
	_, rest, found := bytes.Cut(text, appendWithSubject(room[:0], w.statement, subject))
	if !found {
		return f, false
	}
	end := 0
	for end < len(rest) && (rest[end] == '.' || '0' <= rest[end] && rest[end] <= '9') {
		end++
	}
	v, err := strconv.ParseFloat(string(rest[:end]), 64)
	rest, told := bytes.CutPrefix(rest[end:], []byte(w.statementEnd+counted))
	n, rest, _ := bytes.Cut(rest, []byte(", cycle "))
	at, _, closed := bytes.Cut(rest, []byte(")"))
	count, bad := strconv.ParseUint(string(n), 10, 32)
	cycle, worse := strconv.ParseUint(string(at), 10, 63)
	if err != nil || !told || !closed || bad != nil || worse != nil || !(v <= valueMax) || w.unit == unitShare && v > 1 {
		return f, false
	}
	return Stated(m, string(subject), float32(det.Quantise(v)), uint32(count), wire.Cycle(cycle)), true
}

// StandardError returns the standard error of the difference of two counts of the same thing, in the units of Distance.
// Shares are treated as binomial, with one success and one failure added, so that a few equal observations prove
// little. Amounts are assumed to have a standard deviation of 1.1 times their mean: most are waiting times, of which a few
// are very long. Measures that are known exactly after one observation have no error.
func (f *Finding) StandardError(other *Finding) float64 {
	const scatter = 1.1
	w := &wordings[f.Measure]
	n, m := float64(min(f.N, observationWindow)), float64(min(other.N, observationWindow))
	if w.minObservations == 1 || n == 0 || m == 0 {
		return 0
	}
	x, y := float64(f.Value), float64(other.Value)
	sum := float64(x*n) + float64(y*m)
	spread := math.Sqrt(1/n + 1/m)
	if w.unit == unitShare {
		p := (sum + 1) / (n + m + 2)
		return det.Quantise(min(float64(math.Sqrt(float64(p*(1-p)))*spread), 1))
	}
	mean := sum / (n + m)
	return det.Quantise(min(float64(float64(scatter*spread)*mean)/max(x, y, 1), 1))
}

// Distance returns how far two values of a measure differ, in [0,1]: for shares the difference, for amounts the
// difference divided by the larger one.
func (m Measure) Distance(a, b float32) float64 {
	x, y := float64(a), float64(b)
	d := math.Abs(x - y)
	if wordings[m].unit == unitShare {
		return det.Quantise(min(d, 1))
	}
	return det.Quantise(d / max(x, y, 1))
}
