package scripted

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kingdom/llm"
	"kingdom/llm/scripted/source"
	"kingdom/wire"
)

// sent is the part of an answer that the tests of programs and reviews read.
type sent struct {
	Params struct {
		Name     string
		Message  string
		RepoID   string `json:"repo_id"`
		Parent   string
		Files    map[string]string
		Verdict  string
		Comments any
		Overall  string
	}
}

// only is a prompt with one offer besides nop, made to a slow agent.
func only(tb testing.TB, a llm.Affordance) *llm.Prompt {
	a.Priority = 1
	p := offering(tb, 0, a)
	p.Alias, p.Cycle, p.Slot = "03000000", 12, 15
	p.Actions = append(p.Actions, a.Action)
	return p
}

// send returns what the mind sends for a prompt. It must be an answer that can be parsed.
func send(tb testing.TB, p *llm.Prompt) (out sent) {
	tb.Helper()
	text := think(tb, New(seed, Knobs{}), p).Text
	if _, err := llm.Parse(text, p.Actions, nil); err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return out
}

// repoFor is the offer to write the first version of a program.
func repoFor(tb testing.TB, work llm.Work) llm.Affordance {
	return llm.Affordance{Action: row(tb, "repo_create"), Params: &wire.RepoCreate{Name: []byte("slots")}, Compose: llm.ComposeProgram, Work: &work, Know: 1}
}

// The first version of a delivery has a name, a message, a program that names its author and the author's test of it.
func TestRepo_HoldsProgramAndItsTest(t *testing.T) {
	title := []byte("A slot allocator")
	got := send(t, only(t, repoFor(t, llm.Work{Task: llm.TaskDelivery, Title: title}))).Params
	if got.Name != "slots" || got.Message != "first version" || len(got.Files) != 2 {
		t.Errorf("sent %+v", got)
	}
	program, task := got.Files["main.star"], source.ForTitle(title)
	text, ok := strings.CutPrefix(program, "# by 03000000, version 12.15\n")
	if !ok || !slices.Contains(task.Right, text) {
		t.Errorf("the program is %q", program)
	}
	if want := task.Try(wire.ObjectID(wire.ObjectAtom, []byte(program))); got.Files["try.star"] != want {
		t.Errorf("the test is %q, want %q", got.Files["try.star"], want)
	}
}

func TestSnap_NamesRepoParentAndWhatWasWrong(t *testing.T) {
	for why, want := range map[string]string{"": "next version", "it faulted": "changed, since it faulted"} {
		work := &llm.Work{Task: llm.TaskModule}
		if why != "" {
			work.Why = []byte(why)
		}
		repo, parent := wire.Hash{7}, wire.Hash{8}
		got := send(t, only(t, llm.Affordance{Action: row(t, "snap_create"), Params: &wire.SnapCreate{RepoID: repo, Parent: &parent}, Compose: llm.ComposeProgram, Work: work})).Params
		if got.RepoID != repo.String() || got.Parent != parent.String() || got.Message != want || got.Files["main.star"] == "" {
			t.Errorf("why %q: sent %+v", why, got)
		}
	}
}

// An offer that is about no program of the agent's own is sent as it stands.
func TestPrograms_WithoutWorkAreSentAsOffered(t *testing.T) {
	id := wire.Hash{7}
	public := wire.AccessPolicy{Read: wire.ReadAccess{Public: true}, Write: wire.WriteAccess{OwnerOnly: true}}
	for _, a := range []llm.Affordance{
		{Action: row(t, "repo_create"), Params: &wire.RepoCreate{Name: []byte("copy"), AccessPolicy: public, ForkOf: &id}},
		{Action: row(t, "snap_create"), Params: &wire.SnapCreate{RepoID: id, Parent: &id, Root: id, Message: []byte("m")}},
		{Action: row(t, "tag_create"), Params: &wire.TagCreate{Repo: id, Name: []byte("v1"), Target: id}},
	} {
		want := `"params":` + string(a.Action.AppendJSON(nil, a.Params))
		if got := string(think(t, New(seed, Knobs{}), only(t, a)).Text); !strings.Contains(got, want) {
			t.Errorf("%s: sent %s, want %s", a.Name(), got, want)
		}
	}
}

// loads is what the registry says of a module, and its load statement.
func loads(m *source.Module) (description, line string) {
	description = m.Describe(wire.Hash{9})
	return description, source.LoadLine([]byte(description))
}

func TestProgram_FollowsFromItsTask(t *testing.T) {
	modules := source.Modules()
	other, line := loads(&modules[4])
	own, _ := loads(&modules[3]) // the module with the same names as the one that is written
	unknown := []byte("something of which the shelf has nothing")
	for _, c := range []struct {
		name string
		work llm.Work
		want string
	}{
		{"a module", llm.Work{Task: llm.TaskModule}, modules[2].Text},
		{"the next version is another module", llm.Work{Task: llm.TaskModule, Version: 1}, modules[3].Text},
		{"after the last module comes the first", llm.Work{Task: llm.TaskModule, Version: uint32(len(modules) - 2)}, modules[0].Text},
		{"a bounty for the functions of a module", llm.Work{Task: llm.TaskDelivery, Title: []byte("A library with pad_left and pad_right")}, moduleNamed(t, "padding").Text},
		{"a bounty that the shelf does not know", llm.Work{Task: llm.TaskDelivery, Title: unknown, Version: 1}, modules[3].Text},
		{"a library to build on", llm.Work{Task: llm.TaskModule, Version: 1, Uses: []byte(other)}, line + "\n\n" + modules[3].Text},
		{"a module that failed is written without the library", llm.Work{Task: llm.TaskModule, Version: 1, Uses: []byte(other), Why: []byte("it faulted")}, modules[3].Text},
		{"a library whose names the module defines itself", llm.Work{Task: llm.TaskModule, Version: 1, Uses: []byte(own)}, modules[3].Text},
		{"a library without a load statement", llm.Work{Task: llm.TaskModule, Version: 1, Uses: []byte("load it somehow")}, modules[3].Text},
	} {
		p := only(t, repoFor(t, c.work))
		p.ID[3] = 2
		files := send(t, p).Params.Files
		if _, text, _ := strings.Cut(files["main.star"], "\n"); text != c.want {
			t.Errorf("%s: wrote\n%s\nwant\n%s", c.name, text, c.want)
		}
		if _, ok := files["try.star"]; ok {
			t.Errorf("%s: has a test, which only tasks have", c.name)
		}
	}
}

func moduleNamed(tb testing.TB, name string) *source.Module {
	tb.Helper()
	for i := range source.Modules() {
		if m := &source.Modules()[i]; m.Name == name {
			return m
		}
	}
	tb.Fatalf("the shelf has no module %s", name)
	return nil
}

func TestProgram_AnyServiceMayBeWritten(t *testing.T) {
	written := map[string]bool{}
	for tick := range wire.Tick(50) {
		p := only(t, repoFor(t, llm.Work{Task: llm.TaskService}))
		p.Tick = tick
		_, text, _ := strings.Cut(send(t, p).Params.Files["main.star"], "\n")
		written[text] = true
	}
	for _, s := range source.Services() {
		if !written[s.Text] {
			t.Errorf("%s was never written", s.Name)
		}
		delete(written, s.Text)
	}
	if len(written) > 0 {
		t.Errorf("programs that are no services were written: %v", written)
	}
}

// Authors begin at a solution that their id gives, and each change writes the next one.
func TestSolution_EachChangeWritesAnother(t *testing.T) {
	title := []byte("A slot allocator")
	task := source.ForTitle(title)
	for _, c := range []struct {
		speed float32 // nearly all programs of the fastest are wrong, nearly none of the slowest
		want  func(i int) string
	}{
		{0, func(i int) string { return task.Right[i%len(task.Right)] }},
		{1, func(i int) string { return task.Wrong[i%len(task.Wrong)].Text }},
	} {
		for home := range 4 {
			for tries := range 3 {
				written := 0
				for tick := range wire.Tick(20) {
					p := only(t, repoFor(t, llm.Work{Task: llm.TaskDelivery, Title: title, Tries: uint32(tries)}))
					p.ID[3], p.Speed, p.Tick = byte(home), c.speed, tick
					if _, text, _ := strings.Cut(send(t, p).Params.Files["main.star"], "\n"); text == c.want(home+tries) {
						written++
					}
				}
				if written == 0 {
					t.Errorf("speed %v: an author who begins at %d never writes the right program after %d changes", c.speed, home, tries)
				}
			}
		}
	}
}

// Each change that was necessary, and a lesson, halve the share of wrong solutions.
func TestSolution_MistakesGrowWithSpeedAndFallWithExperience(t *testing.T) {
	for _, c := range []struct {
		name   string
		speed  float32
		tries  uint32
		lesson string
		want   float64
	}{
		{"slow", 0, 0, "", 0.045},
		{"fast", 1, 0, "", 0.9},
		{"fast, changed once", 1, 1, "", 0.45},
		{"fast, changed twice", 1, 2, "", 0.225},
		{"fast, with a lesson", 1, 0, "test what you write", 0.45},
		{"fast, changed once, with a lesson", 1, 1, "test what you write", 0.225},
	} {
		wrong := 0
		const n = 2000
		for tick := range wire.Tick(n) {
			a := repoFor(t, llm.Work{Task: llm.TaskDelivery, Title: []byte("A slot allocator"), Tries: c.tries})
			a.Lesson.Text = c.lesson
			p := only(t, a)
			p.Tick, p.Speed = tick, c.speed
			if source.FindMistake([]byte(send(t, p).Params.Files["main.star"])) != nil {
				wrong++
			}
		}
		if share := float64(wrong) / n; share < c.want-0.03 || share > c.want+0.03 {
			t.Errorf("%s: %.3f are wrong, want %.3f", c.name, share, c.want)
		}
	}
}

func TestTag_DescribesThePublishedProgram(t *testing.T) {
	id, modules := wire.Hash{9}, source.Modules()
	text := "vault:" + id.String()
	for _, c := range []struct {
		name    string
		compose llm.Compose
		text    string
		work    *llm.Work
		want    string
	}{
		{"a module", llm.ComposeDescription, text, &llm.Work{Task: llm.TaskModule, Version: 1}, modules[3].Describe(id)},
		{"after the last module comes the first", llm.ComposeDescription, text, &llm.Work{Task: llm.TaskModule, Version: uint32(len(modules) - 2)}, modules[0].Describe(id)},
		{"a bounty for the functions of a module", llm.ComposeDescription, text, &llm.Work{Task: llm.TaskDelivery, Title: []byte("pad_left and pad_right")}, moduleNamed(t, "padding").Describe(id)},
		{"another bounty", llm.ComposeDescription, text, &llm.Work{Task: llm.TaskDelivery, Title: []byte("A slot allocator")}, "solution of a bounty: " + text},
		{"a program of which nothing is known", llm.ComposeDescription, text, nil, "solution of a bounty: " + text},
		{"a text that is no id", llm.ComposeDescription, "vault:12", nil, "as offered"},
		{"nothing to compose", llm.ComposeNone, text, nil, "as offered"},
	} {
		offered := &wire.TagCreate{Repo: wire.Hash{7}, Name: []byte("v1"), Target: wire.Hash{8}, Publish: &wire.Publication{Description: []byte("as offered"), Category: [][]byte{[]byte("library")}}}
		p := only(t, llm.Affordance{Action: row(t, "tag_create"), Params: offered, Compose: c.compose, Text: []byte(c.text), Work: c.work})
		p.ID[3] = 2
		a, err := llm.Parse(think(t, New(seed, Knobs{}), p).Text, p.Actions, nil)
		if err != nil {
			t.Fatal(err)
		}
		q := a.Payload.(*wire.TagCreate)
		if q.Publish == nil || string(q.Publish.Description) != c.want || len(q.Publish.Category) != 1 || q.Repo != offered.Repo || string(q.Name) != "v1" || q.Target != offered.Target {
			t.Errorf("%s: sent %+v, publishing %+v, want the description %q", c.name, q, q.Publish, c.want)
		}
		if string(offered.Publish.Description) != "as offered" {
			t.Errorf("%s: the offer itself was changed", c.name)
		}
	}
	p := only(t, llm.Affordance{Action: row(t, "tag_create"), Params: &wire.TagCreate{Name: []byte("v1")}, Compose: llm.ComposeDescription, Text: []byte(text)})
	if got := string(think(t, New(seed, Knobs{}), p).Text); strings.Contains(got, "solution of a bounty") {
		t.Errorf("a tag that publishes nothing is described: %s", got)
	}
}

// A fault in a program is found by its text, or by what was wrong with it last. The less careful the reviewer, the more
// often it is overlooked; then some reviewers ask for a change all the same.
func TestReviews_FindFaultsInPrograms(t *testing.T) {
	mistake := source.ForTitle([]byte("A slot allocator")).Wrong[0]
	wrong, failed := llm.Affordance{Text: []byte(mistake.Text)}, llm.Affordance{Work: &llm.Work{Why: []byte("it faulted")}}
	bounty := func(a llm.Affordance, know float64) llm.Affordance {
		a.Action, a.Params, a.Compose, a.Know = row(t, "bounty_review"), &wire.BountyReview{Verdict: wire.BountyVerdictApprove, Comments: []byte("as asked")}, llm.ComposeReview, know
		return a
	}
	change := func(a llm.Affordance, know float64) llm.Affordance {
		a.Action, a.Params, a.Compose, a.Know = row(t, "review_submit"), &wire.ReviewSubmit{}, llm.ComposeReview, know
		return a
	}
	for _, c := range []struct {
		name          string
		offer         llm.Affordance
		speed         float32
		verdict, says string
		want          float64
	}{
		{"a careful reviewer of a delivery with a known mistake", bounty(wrong, 1), 0, "REJECT", mistake.Why, 0.985},
		{"a hasty one", bounty(wrong, 1), 1, "REJECT", mistake.Why, 0.7},
		{"a hasty one overlooks it", bounty(wrong, 1), 1, "APPROVE", "as asked", 0.27},
		{"a delivery that failed", bounty(failed, 1), 1, "REJECT", "it faulted", 0.7},
		{"a delivery without a fault", bounty(llm.Affordance{}, 1), 0, "APPROVE", "as asked", 0.9},
		{"a delivery without a fault is rejected all the same", bounty(llm.Affordance{Work: &llm.Work{}}, 1), 0, "REJECT", "does not do what was asked", 0.1},
		{"a careful reviewer of a change with a known mistake", change(wrong, 1), 0, "REQUEST_CHANGES", mistake.Why, 0.985},
		{"a hasty one of a change", change(wrong, 1), 1, "REQUEST_CHANGES", mistake.Why, 0.7},
		{"a change that failed", change(failed, 1), 1, "REQUEST_CHANGES", "it faulted", 0.7},
		{"a change without a fault", change(llm.Affordance{}, 1), 0, "APPROVE", "read the change", 0.85},
		{"a change without a fault is sent back all the same", change(llm.Affordance{}, 1), 0, "REQUEST_CHANGES", "I would do it in another way", 0.15},
	} {
		hits := 0
		const n = 4000
		for tick := range wire.Tick(n) {
			p := only(t, c.offer)
			p.Tick, p.Speed = tick, c.speed
			got := send(t, p).Params
			says := got.Overall
			if text, ok := got.Comments.(string); ok {
				says = text
			}
			if got.Verdict == c.verdict && says == c.says {
				hits++
			}
		}
		if share := float64(hits) / n; share < c.want-0.02 || share > c.want+0.02 {
			t.Errorf("%s: %.3f say %s: %s, want %.3f", c.name, share, c.verdict, c.says, c.want)
		}
	}
}

func TestBountyReview_DisputeSaysWhy(t *testing.T) {
	got := send(t, only(t, llm.Affordance{Action: row(t, "bounty_review"), Params: &wire.BountyReview{Verdict: wire.BountyVerdictDispute}})).Params
	if got.Verdict != "DISPUTE" || got.Comments != "it passes its tests" {
		t.Errorf("sent %+v", got)
	}
}
