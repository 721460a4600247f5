package memory

import (
	"encoding/hex"
	"slices"
	"strings"

	"kingdom/wire"
)

// LessonKey is what a lesson is about. A lesson is stored as a node of the knowledge graph with the key as its label,
// so there is one lesson per key.
type LessonKey struct {
	Action  string    // catalogue name
	Domain  string    // field of work of the goal that the act served, else of the action
	Subject wire.Hash // a thing that is acted upon again and again, as a channel; zero: none
}

const lessonPrefix = "lesson: "

// label returns the label of the node that holds the lesson.
func (k *LessonKey) label() []byte {
	b := append([]byte(lessonPrefix), k.Action...)
	b = append(append(b, " in "...), k.Domain...)
	if !k.Subject.IsZero() {
		b = hex.AppendEncode(append(b, " on "...), k.Subject[:4])
	}
	return b
}

// lesson is an item of the index of lessons, parsed from the label of a node.
type lesson struct {
	id      wire.Hash // of the node
	action  string
	domain  string
	subject string // 8 hex digits; empty: none
}

// parseLesson parses the label of a node; ok is false if the node is not a lesson.
func parseLesson(id *wire.Hash, label string) (l lesson, ok bool) {
	rest, ok := strings.CutPrefix(label, lessonPrefix)
	if !ok {
		return l, false
	}
	l.id = *id
	about, subject, _ := strings.Cut(rest, " on ")
	l.subject = subject
	l.action, l.domain, ok = strings.Cut(about, " in ")
	return l, ok
}

func (l *lesson) compare(o lesson) int {
	if c := strings.Compare(l.action, o.action); c != 0 {
		return c
	}
	return l.id.Compare(o.id)
}

// indexLesson adds a new node to the index if it is a lesson.
func (k *KnowledgeGraph) indexLesson(id *wire.Hash, label string) {
	l, ok := parseLesson(id, label)
	if !ok {
		return
	}
	if i, known := k.findLesson(l); !known {
		k.lessons = slices.Insert(k.lessons, i, l)
	}
}

// dropLesson removes a node from the index if it is a lesson.
func (k *KnowledgeGraph) dropLesson(id *wire.Hash, label string) {
	l, ok := parseLesson(id, label)
	if !ok {
		return
	}
	if i, known := k.findLesson(l); known {
		k.lessons = slices.Delete(k.lessons, i, i+1)
	}
}

func (k *KnowledgeGraph) findLesson(l lesson) (int, bool) {
	return slices.BinarySearchFunc(k.lessons, l, func(a, b lesson) int { return a.compare(b) })
}

// LearnLesson stores a lesson in place of the one with the same key. worked says whether the act to which it belongs
// succeeded; the confidence follows this.
func (k *KnowledgeGraph) LearnLesson(key LessonKey, text []byte, worked bool, at wire.Tick) {
	sure := 0.0
	if worked {
		sure = 1
	}
	k.Learn(key.label(), text, KnowledgeExperience, sure, at)
}

// nearness of a lesson to an act with the same action, [0,1].
const (
	sameSubject  = 1.0
	sameDomain   = 0.8 // and the lesson is about no particular subject
	otherSubject = 0.6 // of the same domain
	otherDomain  = 0.4

	// lessonFloor is the strength below which a lesson is not recalled.
	lessonFloor = 0.05
)

// Lesson returns the lesson about an action with the highest strength, which is nearness · confidence · recency; ok
// is false if there is none.
func (k *KnowledgeGraph) Lesson(key LessonKey, now wire.Tick) (best KnowledgeNode, strength float64, at wire.Tick, ok bool) {
	if len(k.lessons) == 0 {
		return best, 0, 0, false
	}
	place := 0 // of the best
	i, _ := k.findLesson(lesson{action: key.Action})
	var room [8]byte
	subject := room[:0]
	if !key.Subject.IsZero() {
		subject = hex.AppendEncode(subject, key.Subject[:4])
	}
	for ; i < len(k.lessons) && k.lessons[i].action == key.Action; i++ {
		l := &k.lessons[i]
		j, _ := k.findNode(&l.id)
		n := &k.nodes[j]
		s := float64(l.nearness(key.Domain, subject) * float64(float64(n.confidence)*decay(wire.Tick(n.confirmedAt), now)))
		if s > strength && s >= lessonFloor {
			place, strength, at, ok = j, s, wire.Tick(n.confirmedAt), true
		}
	}
	if ok {
		best = k.node(place)
	}
	return best, strength, at, ok
}

func (l *lesson) nearness(domain string, subject []byte) float64 {
	switch {
	case l.domain != domain:
		return otherDomain
	case l.subject == "":
		return sameDomain
	case l.subject == string(subject):
		return sameSubject
	default:
		return otherSubject
	}
}
