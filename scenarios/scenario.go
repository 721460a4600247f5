package scenarios

import (
	"time"

	"go.yaml.in/yaml/v4"

	"kingdom/llm"
	"kingdom/wire"
)

// MostCycles is how many cycles a run may have: the range of cycles.
const MostCycles = 1_000_000

// Scenario is one resolved scenario: every value is present and in range. The
// field tags are the schema (key, default, range, doc); docs/SCENARIOS.md is made
// from them.
type Scenario struct {
	Name        string     `key:"name" need:"yes" range:"1..64" doc:"Name of the scenario; names run directories. Lower-case letters, digits, '-' and '_'."`
	Description string     `key:"description" default:"" range:"0..2000" doc:"What the scenario is for, in a sentence or two."`
	Seed        Seed       `key:"seed" default:"42" doc:"Seed of all randomness, a number or text. 0x and 64 hex digits are the 32 bytes of the world seed; any other text is hashed."`
	Cycles      uint64     `key:"cycles" default:"50" range:"1..1000000" doc:"Cycles to run after the bootstrap cycle 0."`
	Time        Time       `key:"time" doc:"The clock and the budgets of agents."`
	Population  []Group    `key:"population" need:"yes" range:"1..1000" doc:"The agents spawned at the bootstrap, in spawn order: groups of agents with the same role. At most 100000 agents in all."`
	Gates       Gates      `key:"gates" default:"default" doc:"The gate profile: from which epoch on each action is open (docs/WORLD.md)."`
	Epoch       uint64     `key:"epoch" default:"0" range:"0..6" digest:"set" doc:"Epoch in which the world begins, as if the earlier ones had passed, but without their inflation (docs/WORLD.md). With the gates default and strict, 1 opens collaboration, 2 channels and payments between agents, 3 reading web pages, 4 sending data to the web, 5 binding votes, 6 everything."`
	AutoSpawn   *bool      `key:"auto_spawn" default:"" doc:"If deaths leave fewer than min(4, n) of n agents alive, each cycle end wakes the agent that has slept longest; if nobody sleeps, GENERALISTs are spawned up to that number. Sleepers count as alive, so a population that fell asleep is not woken. Default: true iff n is at least 4."`
	Spawn       Spawn      `key:"spawn" doc:"Growth of the population by proposals."`
	Minds       Minds      `key:"minds" doc:"The minds that think for the agents."`
	Prompts     Prompts    `key:"prompts" digest:"set" doc:"Wording of sections of the prompts, each a text/template of Go in a file beside the scenario, or the text itself if it has a line break or {{. kingdom prompt fields lists what it may show (docs/MINDS.md)."`
	Think       Think      `key:"think" doc:"Limits of one thought."`
	Goals       Goals      `key:"goals" doc:"How many living goals each layer of an agent's goal stack holds."`
	Memory      Memory     `key:"memory" doc:"Size of an agent's memory."`
	Dormancy    Dormancy   `key:"dormancy" doc:"Falling asleep and waking."`
	Agora       Agora      `key:"agora" doc:"Bounties and channels."`
	Oracle      Oracle     `key:"oracle" doc:"The library of knowledge."`
	Mint        Mint       `key:"mint" doc:"Money, in whole ⚡."`
	Portal      Portal     `key:"portal" doc:"Access to the web, open from epoch 3 on (docs/WORLD.md)."`
	Inputs      []Input    `key:"inputs" range:"0..1000" doc:"What an operator does to the world from outside, in stated cycles."`
	Changes     []Change   `key:"changes" range:"0..64" digest:"set" doc:"Changes of what agents think with, from a stated cycle on: a treatment in the middle of a run. kingdom fork adds one."`
	Signatures  Signatures `key:"signatures" default:"eager" doc:"When requests are signed: eager, as soon as they are sealed, at the cost of one signature per request; lazy, only when bytes leave the process. The receiver verifies them. No hash depends on it, and exports are the same."`
	Checkpoint  Checkpoint `key:"checkpoint" doc:"Snapshots in the run directory, to inspect past cycles from."`
	Store       Store      `key:"store" doc:"How the database stores the history (docs/STORE.md)."`
	Logs        Logs       `key:"logs" doc:"How the run directory's logs are written. Not part of the digest."`

	templates *llm.Templates // those of Prompts; nil: none
	warnings  []Problem      // of Warnings
	reached   uint64         // epoch that a run of it has reached, as far as is known
	changed   []*Scenario    // the scenario after each of Changes

	root  *yaml.Node            // the mapping the values came from
	files *origins              // places where nodes of root were written
	nodes map[string]*yaml.Node // node of a value, by path
}

// Seed is the seed as it is written; see [Scenario.WorldSeed].
type Seed string

// Time has the rules of the clock and of budgets.
type Time struct {
	TicksPerCycle uint64 `key:"ticks_per_cycle" default:"256" range:"92..65536" doc:"Ticks of a cycle. The bootstrap needs 92."`
	BaseBudget    uint64 `key:"base_budget" default:"64" range:"1..65536" doc:"Slots of an agent per cycle, without those it buys; at most ticks_per_cycle."`
	MaxExtra      uint64 `key:"max_extra" default:"192" range:"0..65536" doc:"Slots an agent may buy for a cycle; what exceeds ticks_per_cycle − base_budget has no effect."`
}

// Group is a number of agents of one role that are spawned one after the other.
type Group struct {
	Role        wire.Role   `key:"role" need:"yes" doc:"Role of these agents."`
	Name        string      `key:"name" default:"" range:"0..32" digest:"set" doc:"Name for inputs, relations, --agent and printed tables: lower-case letters, digits, '-' and '_', a letter first. In a group of more than one agent the members are name-1, name-2 and so on, and name alone means all of them, where several agents can be meant. Not all or newcomers, which commands use with another meaning. Agents never see it."`
	Count       uint64      `key:"count" default:"1" range:"1..100000" doc:"How many agents."`
	Mind        string      `key:"mind" default:"" range:"0..64" digest:"set" doc:"What thinks for these agents: scripted, or the name of a model in minds.models, for all tiers. Empty: minds.tiers if it names models, else scripted."`
	Persona     string      `key:"persona" default:"" range:"0..1000" digest:"set" doc:"Free text added to the identity in these agents' prompts. The scripted mind does not read it."`
	Adversary   string      `key:"adversary" default:"" range:"0..64" digest:"set" doc:"Strategy with which these agents attack the rules, in place of a mind (docs/ADVERSARIES.md). Empty: none."`
	Accomplices string      `key:"accomplices" default:"" range:"0..64" digest:"set" doc:"Name of a coalition: adversaries that give the same name know each other and help each other. Empty: the adversaries of this item alone."`
	Balance     int64       `key:"balance" default:"-1" range:"-1..1000000" digest:"set" doc:"⚡ of each of these agents at genesis; -1: mint.initial_balance. It is part of the total supply."`
	Knowledge   []Known     `key:"knowledge" range:"0..64" digest:"set" doc:"Facts that these agents know from the start, for minds that read; the scripted mind does not. They are recalled whatever the agent does, the most certain first, and fade like all knowledge unless they are confirmed."`
	Goals       []StartGoal `key:"goals" range:"0..64" digest:"set" doc:"Goals that these agents have from the start, besides those of their role."`
	Relations   []Relation  `key:"relations" range:"0..150" digest:"set" doc:"Trust of these agents in others. It raises the priority of goals that serve the other agent, and a trusted agent can wake a sleeper by mentioning it."`
	Traits      Traits      `key:"traits" doc:"Dispositions, each a number (fixed) or a distribution."`
}

// Traits say how each trait of a genome is drawn.
type Traits struct {
	RiskTolerance  Trait `key:"risk_tolerance" doc:"0 conservative, 1 experimental."`
	Collaboration  Trait `key:"collaboration" doc:"0 alone, 1 in teams."`
	DepthVsBreadth Trait `key:"depth_vs_breadth" doc:"0 specialist, 1 generalist."`
	QualityVsSpeed Trait `key:"quality_vs_speed" doc:"0 perfectionist, 1 ships fast."`
}

// Trait is the distribution of one trait; which fields count depends on Dist.
type Trait struct {
	Dist  Dist    `key:"dist" default:"fixed" doc:"fixed (value), uniform (min, max), normal (mean, sd, cut to min and max) or beta (alpha, beta, stretched to min and max)."`
	Value float64 `key:"value" default:"0.5" range:"0..1" doc:"fixed: the value."`
	Mean  float64 `key:"mean" default:"0.5" range:"0..1" doc:"normal: the mean."`
	SD    float64 `key:"sd" default:"0.15" range:"0..1" doc:"normal: the standard deviation."`
	Alpha uint64  `key:"alpha" default:"2" range:"1..32" doc:"beta: first shape parameter, whole."`
	Beta  uint64  `key:"beta" default:"2" range:"1..32" doc:"beta: second shape parameter, whole."`
	Min   float64 `key:"min" default:"0" range:"0..1" doc:"uniform, normal, beta: lower end."`
	Max   float64 `key:"max" default:"1" range:"0..1" doc:"uniform, normal, beta: upper end, not below min."`
}

// Spawn limits the growth of the population.
type Spawn struct {
	Cap uint64 `key:"cap" default:"0" range:"0..100000" doc:"Largest population that SPAWN_AGENT proposals and AGENT_SPAWN_REQ of operators may lead to in epoch 0; 0 means the initial population."`
}

// Minds says what thinks for the agents.
type Minds struct {
	Scripted Scripted `key:"scripted" doc:"The offline mind: a policy over affordances. It needs no key and no network."`
	Models   []Model  `key:"models" range:"0..64" doc:"Language models, each under a name of your choice (docs/MINDS.md)."`
	Tiers    Tiers    `key:"tiers" doc:"Which models think, by the tier of a thought, for the groups without a mind of their own and for newcomers. Give at least one for each tier, or none at all: then the scripted mind thinks."`
	Blind    []string `key:"blind" range:"0..8" digest:"set" doc:"Layers of memory that agents ignore: beliefs, knowledge, notes, peers, experiences, plans, reputation, money. They count in no decision and are left out of prompts, for every kind of mind. A comparison with a run that has the layer shows what it contributes."`
	Caps     Caps     `key:"caps" doc:"Limits on the cost of calls to models (docs/MINDS.md). Caps are not part of the digest, since refused calls are recorded; they may be changed in scenario.yaml of the run directory before a run is resumed."`
}

// Model is a language model at an OpenAI-compatible endpoint.
type Model struct {
	Name        string        // its key in minds.models
	Endpoint    string        `key:"endpoint" default:"" range:"0..2048" doc:"Base URL, such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1. If it is empty, a model named default uses $KINGDOM_ENDPOINT."`
	Model       string        `key:"model" default:"" range:"0..256" doc:"The server's name of the model; prefer the name of a snapshot if there is one. If it is empty, a model named default uses $KINGDOM_MODEL."`
	Snapshot    string        `key:"snapshot" default:"" range:"0..256" doc:"Name of a frozen version of the model, sent instead of model. Set it for runs that others should be able to repeat."`
	KeyEnv      string        `key:"key_env" default:"" range:"0..128" doc:"Environment variable that holds the endpoint's key. Without key_env, key_file and key, no key is sent; a model named default then uses $KINGDOM_API_KEY if it is set."`
	KeyFile     string        `key:"key_file" default:"" range:"0..4096" digest:"set" doc:"File that contains the endpoint's key and nothing else, readable only by its owner. A relative path starts at the working directory, ~/ at the home directory."`
	Key         string        `key:"key" default:"" range:"0..64" digest:"set" doc:"Name of a key in the sealed key file (kingdom key set NAME), never the key itself."`
	Context     uint64        `key:"context" default:"32768" range:"4096..16777216" doc:"Context size of the model in tokens, prompt and answer together."`
	MaxOutput   uint64        `key:"max_output" default:"2048" range:"64..1048576" doc:"Most tokens of an answer, including thinking; for models that think, allow four times what the answer needs."`
	PriceInput  float64       `key:"price_input" default:"0" range:"0..100000" doc:"US dollars per million input tokens."`
	PriceCached float64       `key:"price_cached" default:"-1" range:"-1..100000" doc:"US dollars per million input tokens that the server had in its cache; -1: as price_input."`
	PriceWrite  float64       `key:"price_cache_write" default:"0" range:"0..100000" digest:"set" doc:"US dollars per million input tokens that the server wrote into its cache (cache_write_tokens); 0: as price_input."`
	PriceOutput float64       `key:"price_output" default:"0" range:"0..100000" doc:"US dollars per million output tokens."`
	Requests    uint64        `key:"requests_per_minute" default:"0" range:"0..10000000" doc:"Most requests a minute to the endpoint; 0 declares no limit."`
	Tokens      uint64        `key:"tokens_per_minute" default:"0" range:"0..10000000000" doc:"Most tokens a minute to the endpoint, counting max_output for each answer in advance; 0 declares no limit."`
	Concurrency uint64        `key:"concurrency" default:"4" range:"1..4096" doc:"Most requests to the endpoint at the same time."`
	Timeout     time.Duration `key:"timeout" default:"0s" range:"0s..90s" doc:"Time for the calls of one thought to this model, including transport retries but not waiting for the limits above; 0s: think.timeout."`
	Temperature float64       `key:"temperature" default:"-1" range:"-1..2" doc:"Sampling temperature; -1 leaves it to the server."`
	Seed        uint64        `key:"seed" default:"0" range:"0..2147483647" doc:"Sampling seed; 0 sends none."`
	Effort      string        `key:"effort" default:"" range:"0..32" doc:"reasoning_effort, passed on as it is; empty sends none."`
	Output      Output        `key:"output" default:"json_schema" doc:"How the model is told the form of an answer, the strictest first: json_schema, small_schema, any_object, json_object or prompt (docs/MINDS.md). If the server refuses one, the next is used for the rest of the run."`
	CacheKey    *bool         `key:"prompt_cache_key" default:"false" digest:"set" doc:"Send prompt_cache_key, with which newer models of OpenAI find what they have cached: one key for each set of actions, for at most about 15 of requests_per_minute. Other servers may refuse the field."`
	Extra       Free          `key:"extra" doc:"More fields of the request body."`
	Proxy       Proxy         `key:"proxy" default:"none" digest:"set" doc:"none: connect to the endpoint directly; environment: through the proxy of $HTTPS_PROXY, except for hosts in $NO_PROXY and for this machine. The endpoint must begin with https://, so that the proxy sees neither key nor prompts."`
	CAFile      string        `key:"ca_file" default:"" range:"0..4096" digest:"set" doc:"File of certificates in PEM that are trusted besides those of the system, such as that of a company's authority. A relative path starts at the working directory, ~/ at the home directory. Its content is not part of the digest."`
	Insecure    *bool         `key:"insecure" default:"" doc:"Allow http:// to a host outside this machine and private networks. Default: false."`
}

// Prompts are templates, by section. A path is replaced by the file's text when a scenario is read.
type Prompts struct {
	Rules       string `key:"rules" default:"" range:"0..65536" doc:"WORLD RULES."`
	Actions     string `key:"actions" default:"" range:"0..65536" doc:"AVAILABLE ACTIONS."`
	Format      string `key:"format" default:"" range:"0..65536" doc:"RESPONSE FORMAT; the answer's form itself cannot be changed."`
	Identity    string `key:"identity" default:"" range:"0..65536" doc:"YOUR IDENTITY."`
	Memory      string `key:"memory" default:"" range:"0..65536" doc:"YOUR MEMORY."`
	History     string `key:"history" default:"" range:"0..65536" doc:"RECENT ACTIONS."`
	State       string `key:"state" default:"" range:"0..65536" doc:"CURRENT STATE."`
	Affordances string `key:"affordances" default:"" range:"0..65536" doc:"AFFORDANCES."`
}

// all lists the templates in the order of the sections.
func (p *Prompts) all() []*string {
	return []*string{&p.Rules, &p.Actions, &p.Format, &p.Identity, &p.Memory, &p.History, &p.State, &p.Affordances}
}

// Tiers are the models of each tier; the first that is not out is asked.
type Tiers struct {
	Tier1 []string `key:"1" range:"0..16" doc:"Strategic thoughts: design, hard code."`
	Tier2 []string `key:"2" range:"0..16" doc:"Standard thoughts."`
	Tier3 []string `key:"3" range:"0..16" doc:"Reflexes: routine and simple decisions."`
}

// All returns the tiers in order.
func (t *Tiers) All() [3][]string { return [3][]string{t.Tier1, t.Tier2, t.Tier3} }

// Caps limit what calls to models may cost, in US dollars; -1 means no limit.
type Caps struct {
	Run   float64  `key:"run_usd" default:"-1" range:"-1..1000000" doc:"For the whole run, in US dollars. A run that reaches it stops with exit code 4; kingdom resume --budget continues it. -1: no cap."`
	Agent float64  `key:"agent_usd" default:"-1" range:"-1..1000000" doc:"For each agent. The slots of an agent that reached it are idle. -1: no cap."`
	Model []Amount `key:"model_usd" range:"0..64" doc:"For each model, by its name in minds.models. A model that reached it is not asked any more; the next model of its tier is asked instead."`
	Tier  TierCaps `key:"tier_usd" doc:"For thoughts of a tier. In a tier that reached it, slots are idle."`
}

// Amount is a named number of US dollars.
type Amount struct {
	Name string
	USD  float64 `key:"usd" range:"0..1000000"`
}

// TierCaps are the caps of the tiers.
type TierCaps struct {
	Tier1 float64 `key:"1" default:"-1" range:"-1..1000000" doc:"Strategic thoughts. -1: no cap."`
	Tier2 float64 `key:"2" default:"-1" range:"-1..1000000" doc:"Standard thoughts. -1: no cap."`
	Tier3 float64 `key:"3" default:"-1" range:"-1..1000000" doc:"Reflexes. -1: no cap."`
}

// All returns the caps of the tiers in order.
func (t *TierCaps) All() [3]float64 { return [3]float64{t.Tier1, t.Tier2, t.Tier3} }

// Free is a mapping without a schema, kept as JSON text with sorted keys; "" is none.
type Free string

// Scripted has the parameters of the scripted mind.
type Scripted struct {
	MalformedRate float64       `key:"malformed_rate" default:"0" range:"0..1" doc:"Share of slots in which no answer can be parsed, on any try."`
	NOPRate       float64       `key:"nop_rate" default:"0" range:"0..1" doc:"Share of slots in which the mind answers nop whatever is possible."`
	RefuseActions []string      `key:"refuse_actions" range:"0..64" doc:"Names of actions this mind never takes (kingdom actions lists them)."`
	FailureBursts FailureBursts `key:"failure_bursts" doc:"Stretches of unusable answers, so that agents fall dormant."`
	Latency       Latency       `key:"latency" doc:"How long a thought takes."`
}

// FailureBursts make the first slots of some cycles fail.
type FailureBursts struct {
	EveryCycles uint64 `key:"every_cycles" default:"0" range:"0..1000000" doc:"Bursts start in cycles that are a multiple of it; 0 means never."`
	LengthSlots uint64 `key:"length_slots" default:"0" range:"0..65536" doc:"Number of slots at the start of the cycle in which the answers of each agent are unusable."`
}

// Latency is how long a scripted thought takes.
type Latency struct {
	Distribution Spread  `key:"distribution" default:"none" doc:"none, constant (the median), uniform (0 to twice the median) or lognormal."`
	MedianMS     float64 `key:"median_ms" default:"0" range:"0..90000" doc:"Median in milliseconds."`
	Sigma        float64 `key:"sigma" default:"0.5" range:"0..3" doc:"lognormal: standard deviation of the logarithm."`
	Pace         Pace    `key:"pace" default:"virtual" doc:"virtual: latency is only a number in the log; real: the run waits for it."`
}

// Think limits thoughts.
type Think struct {
	Timeout  time.Duration `key:"timeout" default:"30s" range:"10ms..90s" doc:"Time for one call to a provider with its transport retries, not counting waits for the limits of the endpoint."`
	OnOutage OnOutage      `key:"on_outage" default:"pause" doc:"What happens when an endpoint is unavailable: pause the run; idle: the slots pass unused (they do not count towards dormancy); fallback: the scripted mind thinks instead, marked in journal and think log. A single time-out or error only makes an idle slot."`
}

// Goals are the capacities of a goal stack.
type Goals struct {
	Aspirations uint64 `key:"aspirations" default:"8" range:"1..256" doc:"Most living aspirations of an agent."`
	Objectives  uint64 `key:"objectives" default:"16" range:"1..256" doc:"Most living objectives of an agent."`
	Tasks       uint64 `key:"tasks" default:"32" range:"1..256" doc:"Most living tasks of an agent."`
}

// Memory is how much an agent keeps.
type Memory struct {
	Nodes uint64 `key:"nodes" default:"512" range:"16..65536" doc:"Most nodes of an agent's knowledge graph."`
	Edges uint64 `key:"edges" default:"2048" range:"16..262144" doc:"Most edges of an agent's knowledge graph."`
}

// Dormancy has the rules of falling asleep and waking.
type Dormancy struct {
	WakeAfter uint64 `key:"wake_after_cycles" default:"8" range:"0..1000000" doc:"Cycles a DORMANT agent sleeps before its timer wakes it; 0 means never."`
}

// Agora are rules of the forum.
type Agora struct {
	ClaimLimit uint64 `key:"claim_limit" default:"2" range:"1..64" doc:"Open bounty claims per agent."`
	ClaimLease uint64 `key:"claim_lease_cycles" default:"4" range:"1..10000" doc:"Cycles that a claim lasts without a submission, at most half of those until the deadline of the bounty."`
	ClaimBar   uint64 `key:"claim_bar_cycles" default:"8" range:"0..10000" doc:"Cycles for which an agent cannot claim anything after a claim that ran out, failed three checks or lost its dispute."`
	ChannelFee uint64 `key:"channel_fee" default:"5" range:"0..1000000" doc:"Price of a channel in ⚡."`
	TextQuota  uint64 `key:"text_quota" default:"65536" range:"1..1000000000" doc:"Bytes of text that an agent may add to Agora in a cycle: messages, specifications, descriptions and comments."`
}

// Oracle are rules of the library.
type Oracle struct {
	TextQuota uint64 `key:"text_quota" default:"131072" range:"1..1000000000" doc:"Bytes of text that an agent may add to Oracle in a cycle: bodies, notes, evidence and contexts."`
}

// Mint are rules of the ledger.
type Mint struct {
	InitialBalance      uint64 `key:"initial_balance" default:"100" range:"0..1000000" doc:"⚡ of each agent of the initial population."`
	PairCycles          uint64 `key:"pair_cycles" default:"0" range:"0..10000" doc:"Number of cycles in which one agent's judgement of another counts once, for rewards and reputation (docs/WORLD.md, pairs); 0 means the number of agents, at least 16 and at most 128."`
	BudgetShare         uint64 `key:"budget_share" default:"500" range:"1..1000000" doc:"n: each cycle 1/n of the treasury goes into the reward pool, besides what agents paid into the treasury."`
	Upkeep              uint64 `key:"upkeep" default:"0" range:"0..1000000" doc:"⚡ that each agent that was ACTIVE in a cycle pays at its end, as far as it has them."`
	UpkeepWithinRewards *bool  `key:"upkeep_within_rewards" default:"false" digest:"set" doc:"Whether upkeep is due only at the end of cycles by which the treasury has paid at least as many ⚡ in rewards as it has taken in upkeep. If so, upkeep takes no more from a population in the long run than rewards give it."`
}

// Logs say how logs are written.
type Logs struct {
	Think LogForm `key:"think" default:"compressed" doc:"log/think.jsonl: compressed, as zstd frames in think.jsonl.zst, a tenth as long; or plain. kingdom tail reads both."`
}

// Checkpoint says how often snapshots are written.
type Checkpoint struct {
	EveryCycles uint64 `key:"every_cycles" default:"32" range:"1..1000000" doc:"Cycles between snapshots."`
}

// Store says how the database stores the history.
type Store struct {
	Tables Tables `key:"tables" default:"end" doc:"When SQLite gets the plain tables of experiences, ended plans and goals, messages, transactions, records and events. end: this data is kept compressed, and the tables are made when the run has come to its last cycle. demand: it is kept compressed, and kingdom tables makes them. live: the tables are written with each cycle in place of the compressed data, which takes about twice the time and five times the space. PostgreSQL is always live. No hash depends on it."`
}
