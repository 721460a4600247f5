package scripted

import (
	"strconv"
	"strings"

	"kingdom/llm"
	"kingdom/llm/scripted/source"
	"kingdom/wire"
)

// repo writes the parameters of a new repo: the first version of a program.
func (w *writer) repo(payload *wire.RepoCreate) {
	if w.a.Work == nil {
		w.dst = w.a.Action.AppendJSON(w.dst, payload)
		return
	}
	w.raw(`{"name":`)
	w.str(string(payload.Name))
	w.raw(`,"message":"first version"`)
	w.files()
	w.raw(`}`)
}

// snap writes the parameters of the next version of a program.
func (w *writer) snap(payload *wire.SnapCreate) {
	if w.a.Work == nil {
		w.dst = w.a.Action.AppendJSON(w.dst, payload)
		return
	}
	w.raw(`{"repo_id":`)
	w.hash(payload.RepoID)
	w.raw(`,"parent":`)
	w.hash(*payload.Parent)
	w.raw(`,"message":`)
	message := "next version"
	if why := w.a.Work.Why; why != nil {
		message = "changed, since " + string(why)
	}
	w.str(message)
	w.files()
	w.raw(`}`)
}

// files writes a program and its author's test of it. The program names its author and the cycle, so that no two authors
// write the same file.
func (w *writer) files() {
	text, try := w.program()
	head := "# by " + w.p.Alias + ", version " + strconv.FormatUint(uint64(w.p.Cycle), 10) + "." + strconv.FormatUint(w.p.Slot, 10) + "\n"
	text = head + text
	w.raw(`,"files":{"main.star":`)
	w.str(text)
	if try != nil {
		w.raw(`,"try.star":`)
		w.str(try.Try(wire.ObjectID(wire.ObjectAtom, []byte(text))))
	}
	w.raw(`}`)
}

// program chooses what to write. What was found wrong makes the author careful: each change halves
// the chance of another mistake, and what failed is not written again.
func (w *writer) program() (text string, task *source.Task) {
	work := w.a.Work
	switch work.Task {
	case llm.TaskDelivery:
		if task = source.ForTitle(work.Title); task != nil {
			return w.solution(task), task
		}
		if m := source.ModuleFor(work.Title); m != nil {
			return m.Text, nil
		}
	case llm.TaskService:
		list := source.Services()
		return list[w.rng.IntN(len(list))].Text, nil
	default: // a module
	}
	return w.module(work), nil
}

// solution is a program for a bounty, right or wrong.
func (w *writer) solution(task *source.Task) string {
	chance := float64(1.5 * w.careless())
	for range w.a.Work.Tries {
		chance = float64(0.5 * chance)
	}
	if w.a.Lesson.Text != "" {
		chance = float64(0.5 * chance)
	}
	wrong := w.chance(chance)
	home := int(w.p.ID[3]) // the index at which this author begins
	if wrong {
		return task.Wrong[(home+int(w.a.Work.Tries))%len(task.Wrong)].Text
	}
	return task.Right[(home+int(w.a.Work.Tries))%len(task.Right)]
}

// module is a small program for others to load; it builds on a library of another where there is
// one.
func (w *writer) module(work *llm.Work) string {
	list := source.Modules()
	m := list[(int(w.p.ID[3])+int(work.Version))%len(list)]
	line := source.LoadLine(work.Uses)
	if line == "" || work.Why != nil || w.clashes(&m, line) { // a module that failed with the library is written without it
		return m.Text
	}
	return line + "\n\n" + m.Text
}

// clashes reports whether a load line binds a name that a module defines.
func (w *writer) clashes(m *source.Module, line string) bool {
	for _, s := range m.Symbols {
		if strings.Contains(line, `"`+s+`"`) {
			return true
		}
	}
	return false
}

// tag writes the parameters of a tag, and what the registry is to say of its program.
func (w *writer) tag(payload *wire.TagCreate) {
	if w.a.Compose == llm.ComposeDescription && payload.Publish != nil {
		if id, err := wire.ParseHash(strings.TrimPrefix(string(w.a.Text), "vault:")); err == nil {
			published := *payload.Publish
			published.Description = []byte(w.describe(id))
			tagged := *payload
			tagged.Publish = &published
			payload = &tagged
		}
	}
	w.dst = w.a.Action.AppendJSON(w.dst, payload)
}

// describe says how a program is loaded. For a module it lists the names that the module defines.
func (w *writer) describe(id wire.Hash) string {
	list := source.Modules()
	if work := w.a.Work; work != nil && work.Task == llm.TaskModule {
		m := list[(int(w.p.ID[3])+int(work.Version))%len(list)]
		return m.Describe(id)
	}
	if work := w.a.Work; work != nil {
		if m := source.ModuleFor(work.Title); m != nil {
			return m.Describe(id)
		}
	}
	return "solution of a bounty: vault:" + id.String()
}

// faultOf says what is wrong with a program that waits for a verdict; "" if nothing was found.
func (w *writer) faultOf() string {
	if m := source.FindMistake(w.a.Text); m != nil {
		return m.Why
	}
	if w.a.Work != nil && w.a.Work.Why != nil {
		return string(w.a.Work.Why)
	}
	return ""
}
