package engine

// Flag is the number of a change of behaviour that changed world hashes; it equals the physics version that
// introduced the change. Flags are never removed or renumbered. A build implements all flags up to [Physics] and
// refuses a run of another version (docs/decisions/0011-one-physics-per-build.md). CHANGELOG.md lists each version
// in full.
type Flag uint32

const (
	// FlagOrigin is the behaviour of the first recorded runs (physics 1).
	FlagOrigin Flag = iota + 1
	// FlagCorrectedRules corrects the rules of Agora, Oracle and Mint (reward pool, verdicts, bounties), and makes agents remember what they
	// read and what came of their actions (physics 2).
	FlagCorrectedRules
	// FlagWholeRules adds the rules that were missing in the daemons: limits of all fields, proposal bonds and quorums, the terms of
	// reputation, upkeep, and the state of requested subjects in views (physics 3).
	FlagWholeRules
	// FlagWholeWorld adds Vault, Forge and Portal, requirements of bounties that run programs, and a condition for the start of
	// every epoch (physics 4).
	FlagWholeWorld
	// FlagMinds makes scripted minds weigh knowledge, beliefs and experiences when they choose, and closes rules that adversaries
	// had exploited (physics 5).
	FlagMinds
	// FlagSociety makes agents specialise by topic, look only at what is new, rest until an event arrives, and set prices
	// for what nobody offers (physics 6).
	FlagSociety
	// FlagPatience makes an agent wait a drawn time before it takes reviews, entries and bounties that only a few agents are
	// needed for (physics 7).
	FlagPatience
	// FlagIntention makes agents return to an interrupted goal and repair rejected work, and raises the price of requests that change
	// nothing with their number in a cycle (physics 8).
	FlagIntention
	// FlagDrive makes agents do more after success, finish a goal before the next, correct and contradict wrong statements, and
	// spend only money that they can spare (physics 9).
	FlagDrive
	// FlagThrift makes agents skip acts of low value and buy from the cheapest service, and limits how many reviewers a request needs
	// and how long a claim holds a bounty (physics 10).
	FlagThrift
	// FlagProvision makes agents keep a reserve of money and do errands in breaks of their work, and adds the time of a failed
	// claim to the deadline of its bounty (physics 11).
	FlagProvision
	// FlagLots draws by lot the agents that may answer a review request that names nobody (physics 12).
	FlagLots
	// FlagOnce stops agents from paying again for what they have or for what nobody delivers; a documentation bounty is paid in
	// place of the entry's reward (physics 13).
	FlagOnce
	// FlagWhole makes agents finish their work before an errand of several acts, and apply the waiting time of new bounties to
	// reopened ones too (physics 14).
	FlagWhole
	// FlagStale makes agents ask again for counts that are eight cycles old, give a second answer to an agent that they owe one, want
	// only bounties that they can deliver, and keep four references per belief (physics 15).
	FlagStale
	// FlagWritten makes agents pay for an entry with what somebody answered, stops payment for corrections that exist elsewhere, and
	// makes a voter cast all its waiting votes at once (physics 16).
	FlagWritten
	// FlagTogether makes a vote wait for others for half of its time, casts all of them for one goal, and ends a rest when a vote is about
	// to close (physics 17).
	FlagTogether
	// FlagJuries draws juries from the roster once per cycle, makes reviews and votes wait for each other, raises the share of
	// unfinished work of fast agents, and shortens the pause between equal complaints to 6 cycles (physics 18).
	FlagJuries
	// FlagBold scales how far an agent goes beyond its knowledge with the square of its boldness or caution, and its mistakes
	// with the cube of its speed, and makes it answer at its next slot when it is asked by name (physics 19).
	FlagBold
	// FlagAble makes an agent take a bounty for several entries only if it has as many statements to make (physics 20).
	FlagAble
	// FlagOutpaid makes an agent give up an aspiration when it believes that work for another one of its role brings more, and leave
	// a bounty open longer the less it believes that bounties get done (physics 21).
	FlagOutpaid
	// FlagPromised makes an agent deliver a bounty that it holds rather than rest, claim one for a program only if it knows
	// programs well enough, and contradict others only if it has counted as much (physics 22).
	FlagPromised
	// FlagPaid charges for what agents could have for nothing (paths in reviews, access lists, reading submissions and the tests of refused
	// bounties), draws the judges of systems' bounties, doubles the bar of claimers that hand in junk, makes good work outweigh a confirmed
	// bug, and lets no event that costs its sender nothing end a rest (physics 23).
	FlagPaid
	// FlagTold makes events repeat what judges, reviewers and verifiers wrote, results of runs and calls reach minds and count as failures
	// if they faulted, and reports that go to everybody call nobody away; upkeep takes only money that is not locked, the third verdict
	// decides a peer review, and no intervention in the economy is proposed before anybody has acted (physics 24).
	FlagTold
	// FlagDecisive makes every belief that agents hold decide something, weighs the risk and the price of a plan before it is
	// begun, and shows a snap's program in the reply to SNAP_GET (physics 25).
	FlagDecisive
	// FlagFriends stops friends from clearing each other's failed claims, sparing each other a vote and making themselves a name by votes
	// that nobody joins, shows what a stranger's flood of requests or proposals hid, and charges for persistent sandboxes in
	// advance; mentors look up a peer's reputation half as often (physics 26).
	FlagFriends
	// FlagCredit credits an act to the goal for which it was offered, makes creators look for what was delivered and believe authors by
	// their record, and lets promised work go on after a failure (physics 27).
	FlagCredit
	// FlagVotes offers votes whatever an agent works for besides, and makes reviewers agree with each other's reviews, which is what
	// reviews are paid for (physics 28).
	FlagVotes
	// FlagCritics stops reviewers from agreeing with approvals of those who approve everything (physics 29).
	FlagCritics
	// FlagProven gives no weight to verdicts of those whose own work was found wrong, makes creators of bounties follow only verdicts of
	// those whose work was found right, and lets upkeep end where rewards do, if a scenario says so (physics 30).
	FlagProven
	// FlagReach lets a change of blindness or templates reach the agents that exist, tells findings with long subjects apart, pays each
	// answer for which money is locked, and counts verdicts of both kinds (physics 31).
	FlagReach
	// FlagCreators makes creators of bounties reject what they have found wrong without a count of their own and what states nothing
	// that can be compared, counts novelty in the domain of the goal, lets plans of minds refer to whatever a step made and to the newest
	// own repo, announces each approval of a peer review as such, and blinds pledges like all else (physics 32).
	FlagCreators
	// FlagFreshEyes books an act for an offer only if it is like it, lowers an act for a lesson only if it went badly, gives a mind's
	// plan a goal of its own where it fits none and what its act made as the first object, shows how long entries go on, and tells
	// a mind why its answer could not be used (physics 33).
	FlagFreshEyes
	// FlagUntold tells an agent what happened to it before a cycle ended, keeps what ended as a vote or was asked to be reviewed, lets a
	// mind drop its goals, counts what a mind does by itself for its plan, ends the note to avoid what has succeeded, and takes what
	// was not sent as not tried (physics 34).
	FlagUntold
	// FlagHarm ends ways to harm others: what a commit reads was read before whoever asks, an ANSWER answers one question, what two
	// have verified stays, parties of a dispute belong to no quorum, a bounty asks for no more verdicts than a jury has, the work of who
	// sleeps and what is escrowed for it are paid, peer reviews end, and nobody weighs more for having slept. It tells equal offers
	// apart by their params and gives a claim that was not offered a goal (physics 35).
	FlagHarm
	// FlagPaidCounts lets an agent pay for seven of a hundred, not five, of the findings about a past period that it could not make
	// itself (physics 36).
	FlagPaidCounts
	// FlagMostVoters passes a proposal only if most of the voters are in favour, and weighs votes at the tally; lets rewards above
	// the cap of their payee wait; takes no bounty for what nobody can deliver; lets others say what one has said; gives each of two
	// discussions with the same title its entry, and a DISAGREE its full weight; lets no stranger displace a peer; and leaves the
	// question of a peer to which an agent owes an answer to others for less time (physics 37).
	FlagMostVoters
	// FlagConfirmed credits a verification once the next agent gives the same verdict, gives no verdict less weight than 0.1, lets
	// heads decide proposals and discussions where hardly any reputation votes, uses up what a delivery counts for only when it is
	// paid, and bounds what one payer adds to a reputation; agents count a ⚡ the more, the more they need money (physics 38).
	FlagConfirmed
	// FlagManyToAsk lets agents pay for more of what they could not count where others are many, and lets a lesson about entries
	// without text help more (physics 39).
	FlagManyToAsk
	// FlagUnread refuses a verdict on an entry whose text was changed earlier in the same tick; forks name the tree that they sign, and
	// the reference says that paying another agent is possible from epoch 2 on (physics 40).
	FlagUnread
	// FlagBoard lets agents consider open bounties of which they have no note, once in a cycle each, and call sleepers for an entry only
	// in the eight cycles after its publication; a page of up to 512 blocks is cut no more (physics 41).
	FlagBoard
)

// Physics is the physics version of this build: its newest flag. It is stored in every run.
const Physics = uint32(FlagBoard)

// flags lists the flags of a physics version, ascending.
func flags(physics uint32) []Flag {
	var out []Flag
	for f := FlagOrigin; f <= Flag(physics); f++ {
		out = append(out, f)
	}
	return out
}
