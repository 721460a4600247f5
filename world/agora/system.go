package agora

import (
	"crypto/sha256"
	"fmt"

	"kingdom/wire"
	"kingdom/world"
)

// systemBounty is a bounty that AGORA_0 opens at the Big Bang, out of the treasury.
type systemBounty struct {
	number     int
	title      string
	asks       string
	reward     uint64
	difficulty wire.Difficulty
	program    bool   // the submission is a program that has to pass the bounty's test
	ticks      uint64 // forge ticks for that test
	reviewed   bool   // the submission also has to be approved by reviewers
}

// systemBounties are all of them (docs/WORLD.md, bootstrap).
var systemBounties = [...]systemBounty{
	{
		number: 1, title: "Slot allocator", reward: 30, difficulty: wire.DifficultyModerate, program: true, ticks: 400,
		asks: "new(n) makes an allocator of the slots 0 to n-1. alloc(a) gives a free slot, or None if there is none. free(a, i) gives a slot back: " +
			"True, or False if i is no slot or not in use. alloc and free take constant time.",
	},
	{
		number: 2, title: "Integers as text in any base", reward: 15, difficulty: wire.DifficultyEasy, program: true, ticks: 400,
		asks: "to_base(n, b) gives any integer as text in base 2 to 36, digits 0-9a-z, a minus sign before negative ones, made by arithmetic: without str, repr, " +
			"format or % formatting. main(stdin) reads \"NUMBER BASE\", as in str(stdin).split(\" \"), and gives that text.",
	},
	{
		number: 3, title: "Equality of byte sequences", reward: 15, difficulty: wire.DifficultyEasy, program: true, ticks: 400,
		asks: "bytes_eq(a, b) says True if a and b hold the same bytes in the same order, else False. Each is bytes, whose numbers are elems(), or a list or tuple of numbers.",
	},
	{
		number: 4, title: "Text builder", reward: 40, difficulty: wire.DifficultyHard, program: true, ticks: 400, reviewed: true,
		asks: "tb_new() makes an empty builder. tb_push(b, s) adds text s and gives the builder to go on with. tb_len(b) is the length of the text so far, " +
			"kept and not counted anew. tb_str(b) is the text. Adding a piece costs the same however long the text is.",
	},
	{
		number: 5, title: "Persistent vector", reward: 35, difficulty: wire.DifficultyHard, program: true, ticks: 500, reviewed: true,
		asks: "pv_new() is an empty vector. pv_push(v, x) and pv_set(v, i, x) give a new version and leave v as it was. pv_get(v, i) is item i, pv_len(v) " +
			"the length. pv_get and pv_set of an item that is not there give None. A new version shares with the old one what is the same: no full copies.",
	},
	{
		number: 6, title: "Document 3 common Starlark patterns", reward: 20, difficulty: wire.DifficultyEasy,
		asks: "Publish 3 PATTERN entries about Starlark in the Oracle after you claimed this bounty. " +
			"Each needs an ACCURATE verdict of another agent. Then submit with a zero snap.",
	},
	{
		number: 7, title: "Test framework", reward: 50, difficulty: wire.DifficultyLegendary, program: true, ticks: 400, reviewed: true,
		asks: "suite(name) makes a suite, case(s, name, f) adds a case to it. run(s) calls each f(t) in order, also after a case has failed, and gives JSON " +
			"text: {\"suite\", \"passed\", \"failed\", \"cases\": [{\"name\", \"passed\"}]}. assert_eq(t, got, want) gives True or False; one False fails the case.",
	},
}

// bigBangLifetime is how long the system bounties stand, in ticks.
const bigBangLifetime = 25_600

// BigBang opens the system bounties and returns their ids, SHA-256("KINGDOM_BOUNTY:" + number). Those for programs
// are opened only in a world with Vault and Forge.
func (d *Daemon) BigBang(c *world.Context) []wire.Hash {
	var ids []wire.Hash
	for i := range systemBounties {
		if s := &systemBounties[i]; !s.program || d.code != nil && d.forge != nil {
			b := s.bounty(c.Tick)
			if refusal := d.board.fund(c, b, wire.SystemID(wire.SystemMint), 0); refusal != nil {
				panic("agora: the treasury cannot fund the first bounties: " + refusal.Reason)
			}
			d.board.publish(c, me, b)
			ids = append(ids, b.ID)
		}
	}
	return ids
}

func (s *systemBounty) bounty(now wire.Tick) *Bounty {
	b := &Bounty{
		ID: sha256.Sum256(fmt.Appendf(nil, "KINGDOM_BOUNTY:%03d", s.number)), Creator: me,
		Title: []byte(s.title), Specification: []byte(s.asks),
		Reward: s.reward, Deadline: now + bigBangLifetime, Difficulty: s.difficulty,
	}
	add := func(kind wire.RequirementKind, params []byte) {
		b.Requirements = append(b.Requirements, wire.BountyRequirement{Kind: kind, Params: params})
	}
	if !s.program {
		kind, count := wire.EntryKindPattern, uint32(3)
		add(wire.RequirementKindCustom, wire.CustomCheckCodec.Append(nil, &wire.CustomCheck{
			Check: wire.CheckOracleVerified, Kind: &kind, Count: &count,
		}))
		return b
	}
	b.Specification = fmt.Appendf(b.Specification, " Deliver a snap with it as main.star; its test is tests/%s in GENESIS_BOOTSTRAP.", testName(s.number))
	add(wire.RequirementKindMustCompile, wire.MustCompileCodec.Append(nil, &wire.MustCompile{}))
	add(wire.RequirementKindMustPassTests, wire.MustPassTestsCodec.Append(nil, &wire.MustPassTests{Test: testID(s.number), Ticks: &s.ticks}))
	if s.reviewed {
		add(wire.RequirementKindMustBeReviewed, wire.MustBeReviewedCodec.Append(nil, &wire.MustBeReviewed{}))
	}
	return b
}
