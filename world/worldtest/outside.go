package worldtest

import (
	"strconv"
	"strings"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/realm"
)

// outside holds the answers to fetches, by URL.
type outside map[string]world.Answer

// set takes the words of a command: URL STATUS TYPE TEXT, or URL and the reason of a failure.
func (o outside) set(words []string) {
	url := words[0]
	status, err := strconv.ParseUint(words[1], 10, 16)
	if err != nil {
		o[url] = world.Answer{Failed: strings.Join(words[1:], " ")}
		return
	}
	a := wire.WebFetched{Status: uint16(status)}
	if len(words) > 2 {
		a.ContentType = []byte(words[2])
		a.Content = []byte(strings.ReplaceAll(strings.Join(words[3:], " "), `\n`, "\n"))
	}
	o[url] = world.Answer{Body: wire.WebFetchedCodec.Append(nil, &a)}
}

func (o outside) answer(question []byte) world.Answer {
	var f wire.WebFetch
	if question == nil {
		return world.Answer{}
	}
	if err := wire.WebFetchCodec.DecodeCanonical(question, &f); err != nil {
		panic(err)
	}
	if a, ok := o[string(f.URL)]; ok {
		return a
	}
	return world.Answer{Failed: "nobody is there"}
}

// Prepare does what an engine does between act and commit, with answers for what is asked of the
// outside. The world is one without a store, whose contents are all in memory.
func Prepare(r *realm.Realm, t wire.Tick, seats []realm.Seat, answer func(question []byte) world.Answer) {
	for _, task := range r.Prepare(t, seats) {
		if task.Reads != nil && len(task.Reads()) > 0 {
			panic("worldtest: contents are missing in a world without a store")
		}
		for i, v := range task.Run(answer(task.Fetch)) {
			seats[task.Seats[i]].Prepared = v
		}
	}
}

// epochNames are the milestones that lead to the epochs, from 1 on.
var epochNames = []string{world.MilestoneSpark, world.MilestoneFoundation, world.MilestoneCommerce, "", world.MilestoneSovereignty}

// reach runs whole cycles until the world is in an epoch. Epoch 4 takes 16 agents.
func (s *session) reach(epoch uint64) {
	for s.realm.Epoch() < uint32(epoch) {
		if name := epochNames[s.realm.Epoch()]; name != "" {
			s.realm.Nexus().RecordMilestone(&world.Context{Tick: s.tick}, name)
		}
		s.whole(true)
	}
}
