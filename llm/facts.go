package llm

import "kingdom/wire"

// Facts are the content of a prompt as values. The package's own text and a scenario's templates are made from the
// same facts. The doc tags are the reference that kingdom prompt fields prints. Texts of agents have the type Words
// or Quote, which no template can unquote.
type Facts struct {
	Rules   Limits       `doc:"Numbers of the world. Sections rules, actions and format see only Rules and Actions: they are equal for all agents with equal rights."`
	Actions ActionFacts  `doc:"What this agent may send."`
	Me      MeFacts      `doc:"Who the agent is; changes rarely."`
	Memory  MemoryFacts  `doc:"What it remembers and wants."`
	History HistoryFacts `doc:"What it did."`
	State   StateFacts   `doc:"The moment."`
	Offers  []OfferGroup `doc:"What is feasible now, by action, the one with the best goal first."`
}

// reset empties the facts and keeps the memory of the longest lists.
func (f *Facts) reset() {
	m, s := &f.Memory, &f.State
	*f = Facts{
		Memory: MemoryFacts{
			Beliefs: m.Beliefs[:0], Knowledge: m.Knowledge[:0], Peers: m.Peers[:0], Notes: m.Notes[:0], Practice: m.Practice[:0], Goals: m.Goals[:0],
		},
		History: HistoryFacts{Failures: f.History.Failures[:0], Before: f.History.Before[:0]},
		State:   StateFacts{Owns: s.Owns[:0], Asks: s.Asks[:0], Bounties: s.Bounties[:0], Over: s.Over[:0], Ended: s.Ended[:0], News: s.News[:0], Prices: s.Prices[:0]},
		Offers:  f.Offers[:0],
	}
}

// ActionFacts are the available actions and those that open later.
type ActionFacts struct {
	Open   []ActionFact `doc:"Available now, in the order of the catalogue."`
	Closed []ClosedFact `doc:"Open at a later epoch."`
}

// ActionFact is one available action.
type ActionFact struct {
	Name    string `doc:"name of the action"`
	Ticks   uint64 `doc:"slots it takes"`
	Spark   string `doc:"price in Spark, in words"`
	Summary string `doc:"what it does, in a sentence"`
	Params  string `doc:"its parameters and their forms"`
	Example string `doc:"params of a worked example, of the commonest actions only"`
}

// ClosedFact is an action that is not open yet.
type ClosedFact struct {
	Name  string `doc:"name of the action"`
	Epoch uint32 `doc:"epoch that opens it"`
}

// MeFacts describe the agent.
type MeFacts struct {
	Alias        string   `doc:"alias of the agent, 8 hex digits"`
	Role         string   `doc:"role, such as LIBRARIAN"`
	Trade        string   `doc:"the role in a sentence"`
	Affinities   string   `doc:"fields of work that the role is good and bad at"`
	Dispositions []string `doc:"one sentence per trait"`
	Risk         float64  `doc:"trait risk_tolerance, 0 to 1"`
	Collab       float64  `doc:"trait collaboration, 0 to 1"`
	Breadth      float64  `doc:"trait depth_vs_breadth, 0 to 1"`
	Speed        float64  `doc:"trait quality_vs_speed, 0 to 1"`
	Aspirations  []Words  `doc:"long-term goals"`
	KnownFor     []Words  `doc:"titles of own entries that others found accurate, at most three, the most accurate first"`
	Persona      string   `doc:"free text of the scenario's population[].persona"`
}

// MemoryFacts are what the agent remembers and wants, each list most valuable first.
type MemoryFacts struct {
	Beliefs   []BeliefFact    `doc:"what the agent holds to be true, without that an action works as it always did"`
	Knowledge []KnowledgeFact `doc:"what comes to mind about the top goal"`
	Peers     []PeerFact      `doc:"peers that the options involve, then those last dealt with"`
	Notes     []NoteFact      `doc:"working notes of its own"`
	Avoids    []AvoidFact     `doc:"acts that went wrong and that it avoids for a time"`
	Asked     []AskedFact     `doc:"its questions that wait for an answer"`
	Practice  []PracticeFact  `doc:"topics in which it takes up work sooner than others, the soonest first"`
	Goals     []GoalFact      `doc:"goals, best first"`
	Plan      *PlanFact       `doc:"plan of the top goal; nil: none"`
}

// BeliefFact is one belief.
type BeliefFact struct {
	Claim      string  `doc:"the claim, quoted"`
	Confidence float64 `doc:"0 to 1, 0.5 is no evidence; not shown of a claim about pay"`
	Pays       float64 `doc:"of a claim that something pays: how much Spark, or as much good, at least 0.1; 0: another claim"`
	N          int     `doc:"observations behind it, 4 for 4 or more; 0: it is an average, or was stated"`
	Age        uint64  `doc:"cycles since it was tested"`
}

// KnowledgeFact is one piece of knowledge.
type KnowledgeFact struct {
	Label      Words   `doc:"what it is about"`
	Content    Quote   `doc:"what is known; empty: that there is such a thing"`
	Source     string  `doc:"read in an entry, from a peer, own experience or own inference"`
	Confidence float64 `doc:"0 to 1"`
}

// PeerFact is the agent's opinion of a peer.
type PeerFact struct {
	Alias       string  `doc:"alias of the peer"`
	Competence  float64 `doc:"0 to 1: how good its work was found"`
	Reliability float64 `doc:"0 to 1: promises kept; 0.5 is unknown"`
	Trust       float64 `doc:"0 to 1: dealings that went well, fading"`
	Dealings    uint32  `doc:"dealings with it; 0: trust is unknown"`
	Last        string  `doc:"what the last dealing was: answer, verdict, signal, review or bounty; empty: none"`
	Well        bool    `doc:"the last dealing went well"`
	Ago         uint64  `doc:"ticks since the last dealing; 0: it was before the world began"`
	Reputation  float64 `doc:"last known reputation; negative: unknown"`
	Interests   []Words `doc:"tags it works on, newest first"`
}

// AvoidFact is an act that the agent avoids.
type AvoidFact struct {
	Action string `doc:"action that went wrong"`
	About  Ref    `doc:"thing that it was about"`
	Title  Words  `doc:"title of that thing"`
	Left   uint64 `doc:"ticks for which it is avoided"`
	Why    Words  `doc:"what went wrong"`
}

// AskedFact is a question that waits for an answer.
type AskedFact struct {
	Ref  Ref    `doc:"handle of the question"`
	Says Words  `doc:"beginning of it"`
	Left uint64 `doc:"ticks for which the agent waits"`
}

// NoteFact is one working note.
type NoteFact struct {
	Key   Words `doc:"key of the note"`
	Value Words `doc:"what it says"`
}

// PracticeFact is a topic in which others found the agent's work good.
type PracticeFact struct {
	Topic string  `doc:"name of the topic"`
	Share float64 `doc:"share of the usual time for which it leaves work in it to others"`
}

// GoalFact is one goal.
type GoalFact struct {
	Kind     string     `doc:"kind of the goal, such as claim_bounty"`
	Text     Quote      `doc:"what it says; of a bounty its creator's title"`
	Layer    string     `doc:"aspiration, objective or task"`
	About    Ref        `doc:"thing it is about"`
	Title    Words      `doc:"title or words of that thing"`
	Priority float64    `doc:"0 to 4; the highest is pursued"`
	Deadline *wire.Tick `doc:"tick until which it counts; nil: no deadline"`
	Left     uint64     `doc:"ticks left until the deadline"`
	Pays     float64    `doc:"Spark it is expected to pay"`
	Done     string     `doc:"what completes it, and how far it is"`
	Why      string     `doc:"where it comes from"`
	Plan     string     `doc:"where the plan stands that the agent's mind wrote for it"`
	Wait     uint64     `doc:"ticks for which the agent leaves it to others yet, or a vote waits for more; 0: its time has come"`
}

// PlanFact is the plan of a goal.
type PlanFact struct {
	Goal  string     `doc:"kind of its goal"`
	Steps []StepFact `doc:"all steps in order"`
}

// StepFact is one step of a plan.
type StepFact struct {
	Action string `doc:"action of the step"`
	State  string `doc:"done, next, blocked or later"`
	Needs  string `doc:"what must hold before it"`
	Until  string `doc:"what makes it done"`
	Tries  uint32 `doc:"how often it failed"`
}

// HistoryFacts are what the agent did.
type HistoryFacts struct {
	Rest      *RestFact `doc:"the rest that the agent chose after its last action; nil: none"`
	Last      *ActFact  `doc:"the last action; nil: none yet"`
	Reasoning Words     `doc:"the agent's last thought, in its own words: why it did that, rested or did nothing"`
	Before    []ActFact `doc:"actions before it, newest first, runs of equal ones folded"`
	Failures  []ActFact `doc:"what failed lately"`
}

// RestFact is a rest.
type RestFact struct {
	Tick   wire.Tick `doc:"when it began"`
	Slots  uint64    `doc:"slots that it was to let pass"`
	Passed uint64    `doc:"slots that it let pass"`
	Why    string    `doc:"what ended it early, or put the agent to sleep; empty: nothing"`
}

// ActFact is one past action and its result.
type ActFact struct {
	Tick    wire.Tick   `doc:"when"`
	Action  string      `doc:"action"`
	Goal    string      `doc:"kind of the goal it served"`
	On      Ref         `doc:"thing it was done to"`
	Title   Words       `doc:"title or words of that thing"`
	Outcome string      `doc:"SUCCESS, PARTIAL, FAILURE or UNKNOWN"`
	Effect  string      `doc:"what came of it, such as +3 Spark, 2 answers; empty: nothing yet"`
	Times   int         `doc:"how many in a row; 1 for one"`
	Lesson  Words       `doc:"what was learned"`
	Thought Words       `doc:"why the agent did it, in its own words; of acts before the last"`
	Shown   []ShownFact `doc:"what its reply showed"`
}

// ShownFact is one thing that the reply to a query, or the result of a run or call, contained.
type ShownFact struct {
	Ref    Ref    `doc:"handle"`
	What   string `doc:"kind of the message or entry, or what else it is"`
	About  Ref    `doc:"thing it answers, refers to or cites"`
	Title  Words  `doc:"title of an entry"`
	Counts string `doc:"accuracy, verifiers, answers and the like; of a repo its newest tag"`
	Quote  Quote  `doc:"author and words"`
}

// StateFacts describe the present moment.
type StateFacts struct {
	Tick       wire.Tick      `doc:"running tick"`
	Cycle      wire.Cycle     `doc:"running cycle"`
	Epoch      uint32         `doc:"epoch of the world"`
	TicksLeft  uint64         `doc:"ticks left in the cycle"`
	Slots      uint64         `doc:"own slots left in the cycle, this one included"`
	Balance    int64          `doc:"Spark in all"`
	Locked     uint64         `doc:"Spark of it that is locked"`
	Earmarked  uint64         `doc:"Spark of it that is left of a spawn grant: for what the treasury sells, not for locks and other agents"`
	NoMoney    bool           `doc:"the scenario leaves money out of the prompt"`
	Reputation float64        `doc:"own reputation, 0 to 1; negative: the scenario leaves it out"`
	PostsLeft  uint32         `doc:"messages that may still be posted in this cycle"`
	Published  uint32         `doc:"entries published in this cycle"`
	Works      []WorkFact     `doc:"its newest entries, at most three, that have fewer than two verdicts or an update that waits for its veto"`
	Owns       []OwnFact      `doc:"its newest repos, its sandboxes with their services, and its requests for review that wait, at most two of each"`
	Claims     []BountyFact   `doc:"bounties the agent holds or created"`
	Reviews    []ReviewFact   `doc:"reviews asked of it"`
	Proposals  []ProposalFact `doc:"open proposals it has not voted on"`
	Asks       []AskFact      `doc:"what the bounties that it holds and the reviews asked of it ask for"`
	Bounties   []BountyFact   `doc:"open bounties that the agent may claim, best reward first"`
	Barred     uint32         `doc:"how many others are open that it may not claim"`
	Over       []OverFact     `doc:"things that its goals and plans were about and that need nothing of it any more"`
	Ended      []EndedFact    `doc:"goals that ended since the last thought, at most three, oldest first, without what the last action says"`
	News       []NewsFact     `doc:"events, those about the agent first, equal ones grouped"`
	Prices     []PriceFact    `doc:"mean reward of the open bounties, by difficulty; empty if all of them are listed"`
}

// BountyFact is one bounty.
type BountyFact struct {
	Ref        Ref       `doc:"handle"`
	Title      Quote     `doc:"title, in its creator's words"`
	Status     string    `doc:"OPEN, CLAIMED and so on"`
	Reward     uint64    `doc:"Spark it pays"`
	Deadline   wire.Tick `doc:"last tick"`
	Left       uint64    `doc:"ticks left until then"`
	Difficulty string    `doc:"TRIVIAL to LEGENDARY"`
	Needs      []string  `doc:"requirements, one each"`
	Asks       Words     `doc:"beginning of its specification, in its creator's words; empty if the title says as much, if the agent cannot claim it or leaves it alone, or if one above asks for the same"`
	Claimer    string    `doc:"alias of who holds it; empty: nobody"`
	Mine       bool      `doc:"the agent holds it"`
	Deliver    uint64    `doc:"ticks left to deliver it, this one included, before the agent's claim lapses; 0 if it has delivered or does not hold it"`
	Created    bool      `doc:"the agent created it"`
	Barred     bool      `doc:"the agent may not claim it"`
	Wait       uint64    `doc:"ticks for which the agent leaves it alone yet: to others, or until it pays more; 0: no longer"`
}

// AskFact is what somebody asks of the agent in full.
type AskFact struct {
	Ref  Ref   `doc:"handle of the bounty or review"`
	Says Quote `doc:"who asks, and the beginning of the specification or description"`
	More int   `doc:"bytes of it that are left out"`
}

// ReviewFact is an open review.
type ReviewFact struct {
	Ref      Ref       `doc:"handle"`
	Bounty   bool      `doc:"of a bounty's delivery: bounty_review answers it; else review_submit"`
	Title    Quote     `doc:"title of the bounty, in its creator's words"`
	Base     Ref       `doc:"snap before the change; of a bounty's delivery: none"`
	Snap     Ref       `doc:"snap that is to be judged"`
	Author   string    `doc:"alias of who asks"`
	Since    wire.Tick `doc:"when it was asked"`
	Verdicts uint32    `doc:"verdicts already given"`
	Wait     uint64    `doc:"ticks for which the agent leaves it to others yet; 0: its time has come"`
}

// ProposalFact is an open proposal.
type ProposalFact struct {
	Ref    Ref     `doc:"handle"`
	Kind   string  `doc:"kind of the proposal"`
	Author string  `doc:"alias of its author, or the system's name"`
	Left   uint64  `doc:"ticks left to vote"`
	Says   Words   `doc:"what it asks for, in its author's words"`
	Voters uint32  `doc:"agents that have voted"`
	For    float64 `doc:"share of the votes' weight that is for it; 0 without votes"`
}

// OverFact is a thing that is closed to the agent.
type OverFact struct {
	Ref    Ref    `doc:"handle"`
	Title  Words  `doc:"title of that thing"`
	Kind   string `doc:"bounty, review, proposal, question, entry, agent or escrow"`
	Status string `doc:"what became of it: EXPIRED, ANSWERED, VOTED and so on"`
	By     string `doc:"alias of who has it now or brought it about; empty: nobody in particular"`
}

// WorkFact is an entry of the agent.
type WorkFact struct {
	Ref      Ref    `doc:"handle"`
	Title    Words  `doc:"beginning of its title"`
	Kind     string `doc:"kind of the entry"`
	Verdicts uint32 `doc:"verdicts on its newest version"`
	Accurate uint32 `doc:"ACCURATE ones of them"`
	Update   uint32 `doc:"version of an update by another agent that waits for the agent's veto; 0: none"`
}

// OwnFact is a thing that the agent owns or asked for.
type OwnFact struct {
	What string `doc:"repo, sandbox or review request"`
	Ref  Ref    `doc:"handle"`
	Name Words  `doc:"name of the repo, or of the service that runs in the sandbox"`
	Says string `doc:"tags of a repo, cost of a sandbox and fee of its service, verdicts on a request"`
}

// EndedFact is a goal that ended.
type EndedFact struct {
	Kind  string `doc:"kind of the goal"`
	Text  Words  `doc:"what it said; only of one in words of its own"`
	About Ref    `doc:"thing it was about"`
	Title Words  `doc:"title or beginning of the words of that thing"`
	How   string `doc:"reached, or how and why it was lost"`
}

// NewsFact is an event, or several similar events about one thing.
type NewsFact struct {
	Tick wire.Tick `doc:"of the newest"`
	Text string    `doc:"what happened; words of others are quoted in it"`
	Mine bool      `doc:"it is about the agent or its work"`
}

// PriceFact is what bounties of one difficulty pay.
type PriceFact struct {
	Difficulty string `doc:"TRIVIAL to LEGENDARY"`
	Mean       uint64 `doc:"mean reward in Spark"`
	Open       int    `doc:"how many are open"`
}

// OfferGroup are the offers of one action.
type OfferGroup struct {
	Action string      `doc:"name of the action"`
	Lesson Words       `doc:"what the agent learned about it"`
	Offers []OfferFact `doc:"the offers, best goal first"`
}

// OfferFact is one concrete action that is feasible now.
type OfferFact struct {
	Rank     int          `doc:"its number in the list, from 1"`
	Action   string       `doc:"name of the action; nop: do nothing"`
	Params   string       `doc:"complete parameters, as JSON with handles"`
	On       Ref          `doc:"thing it is about"`
	Title    Words        `doc:"title of that thing"`
	Author   string       `doc:"alias of its author"`
	Goal     string       `doc:"kind of the goal it serves"`
	Priority float64      `doc:"of that goal; of rest what a slot is worth to the agent"`
	Success  float64      `doc:"estimated probability of success, 0 to 1"`
	Ticks    uint64       `doc:"slots it takes"`
	Spark    uint64       `doc:"Spark it costs or locks"`
	Reward   float64      `doc:"Spark the goal is expected to pay"`
	Factors  []FactorFact `doc:"what speaks for or against it, those that say something"`
	Write    string       `doc:"what the agent is expected to write itself; empty: nothing"`
	Text     Quote        `doc:"words to judge or answer"`
	Plan     bool         `doc:"next step of the active plan"`
	Task     Words        `doc:"what the program is for: the title of its bounty, or others who load or call it"`
	Changed  uint32       `doc:"how often the program was changed because it was wrong"`
	Version  uint32       `doc:"how many tags it has"`
	Wrong    Words        `doc:"what was wrong with the program last"`
	Library  Words        `doc:"what the registry says of a library to build on"`
	Know     float64      `doc:"how well the agent knows the topic, 0 to 1; 0 where it does not matter"`
	Counted  Words        `doc:"what the agent itself has counted of it, or the pattern that it knows"`
	Besides  Words        `doc:"what else it has counted of the same subject"`
	Unknown  Words        `doc:"what the agent wants to know, as a question"`
	Before   string       `doc:"of a question: what the agent would do to the thing in the text once it knows"`
	Shows    Words        `doc:"title of a thing that what it has counted shows in"`
	Above    uint32       `doc:"of what else it has counted of the sort, how many have a lower value"`
	Among    uint32       `doc:"how many it has counted of the sort"`
	Stated   Words        `doc:"what the entry to judge states"`
	Titled   Words        `doc:"title under which others look for it"`
	Chance   float64      `doc:"how far two such counts may be apart by chance, 0 to 1"`
	Off      float64      `doc:"how far that is from what the agent has counted, 0 to 1"`
}

// FactorFact is one consideration about an offer.
type FactorFact struct {
	Name  string  `doc:"worth, need, know, peer, fresh, commit, cost or norm; the rules say what they mean"`
	Value float64 `doc:"0.05 to 1; what changes nothing is left out"`
}
