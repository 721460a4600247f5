package observe

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kingdom/engine"
	"kingdom/wire"
)

// Wait says for whose answers an open tick of a run waits. While it does, the run keeps it in a file, since lines of the logs
// come when the tick is committed.
type Wait struct {
	Cycle   uint64        `json:"cycle"`
	Tick    uint64        `json:"tick"`
	Since   time.Time     `json:"since"`   // when the first of them was asked
	Waiting int           `json:"waiting"` // agents
	Agents  []WaitedAgent `json:"agents"`  // who waits longest first, at most mostWaited
}

// WaitedAgent is an agent whose mind was asked and has not answered.
type WaitedAgent struct {
	Number uint64    `json:"number"` // in spawn order, from 1
	Alias  string    `json:"alias"`
	ID     string    `json:"id"`
	Since  time.Time `json:"since"`
}

// mostWaited bounds the agents in the file.
const mostWaited = 64

// NewWait returns what is kept of a wait of the engine.
func NewWait(w *engine.Wait) *Wait {
	out := &Wait{Cycle: uint64(w.Cycle), Tick: uint64(w.Tick), Since: w.Agents[0].Since, Waiting: len(w.Agents)}
	for _, a := range w.Agents[:min(len(w.Agents), mostWaited)] {
		out.Agents = append(out.Agents, WaitedAgent{a.Number, a.Agent.Alias(), a.Agent.String(), a.Since})
	}
	return out
}

func waitPath(dir string) string { return filepath.Join(dir, "waits.json") }

// KeepWait keeps in the directory of a run for whom it waits; nil: for nobody.
func KeepWait(dir string, w *Wait) error {
	path := waitPath(dir)
	if w == nil {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("remove %s: %w; remove it yourself, it is not true any more", path, err)
		}
		return nil
	}
	b, err := json.Marshal(w)
	if err == nil {
		err = os.WriteFile(path+".new", append(b, '\n'), 0o666)
	}
	if err == nil {
		err = os.Rename(path+".new", path) // a reader sees all of it or nothing
	}
	if err != nil {
		_ = os.Remove(path + ".new") // what is left of it says nothing
		return fmt.Errorf("write %s: %w; the run itself is not affected", path, err)
	}
	return nil
}

// ReadWait reads for whom a run waits; nil: for nobody, or for less than [engine.WaitTold]. If the process of the run was
// killed, what it says is not true any more.
func ReadWait(dir string) *Wait {
	b, err := os.ReadFile(waitPath(dir))
	if err != nil {
		return nil
	}
	var w Wait
	if json.Unmarshal(b, &w) != nil || len(w.Agents) == 0 {
		return nil
	}
	return &w
}

// Text says for people who is waited for, and for how long.
func (w *Wait) Text(names map[wire.AgentID]string, now time.Time) string {
	const most = 6
	who := make([]string, 0, most)
	for _, a := range w.Agents[:min(len(w.Agents), most)] {
		name := a.Alias
		if id, err := wire.ParseHash(a.ID); err == nil && names[wire.AgentID(id)] != "" {
			name = names[wire.AgentID(id)]
		}
		who = append(who, fmt.Sprintf("%d (%s)", a.Number, name))
	}
	text := "the answers of agents " + strings.Join(who, ", ")
	if w.Waiting == 1 {
		text = "the answer of agent " + who[0]
	} else if more := w.Waiting - len(who); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("tick %d of cycle %d has waited %s for %s", w.Tick, w.Cycle, now.Sub(w.Since).Round(time.Second), text)
}
