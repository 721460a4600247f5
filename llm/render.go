package llm

import (
	"strconv"

	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// Render appends the prompt as text, sections in the order of Sections, the
// affordances last, each cut to its budget.
func (p *Prompt) Render(dst []byte) []byte {
	start := len(dst)
	for i := range p.Sections {
		dst = p.section(dst, p.Sections[i])
	}
	context := int(p.MaxContext)
	if context == 0 {
		context = DefaultContext
	}
	room := context - int(p.MaxTokens) - Tokens(len(dst)-start)
	return p.titled(dst, SectionAffordances, affordanceItems{p}, max(room, 0))
}

// Messages renders the prompt as two messages. system holds the rules, the actions and
// the form of an answer: equal for all agents with the same rights, so that a provider
// reads it from its cache. user holds the rest.
func (p *Prompt) Messages() (system, user []byte) {
	stable := 0
	for stable < len(p.Sections) && p.Sections[stable].Kind < SectionIdentity {
		stable++
	}
	head := *p
	head.Sections = p.Sections[:stable]
	for i := range head.Sections {
		system = head.section(system, head.Sections[i])
	}
	return system, p.Render(nil)[len(system):]
}

// section writes one section. Sections without a budget of their own are needed
// whole: that they fit is what Fits has checked.
func (p *Prompt) section(dst []byte, s Section) []byte {
	items := s.Items
	switch s.Kind {
	case SectionRules:
		items = rulesItem{p.limits()}
	case SectionFormat:
		items = textItem(responseFormat)
	case SectionActions:
		items = actionItems{p.Actions, p.limits()}
	case SectionIdentity:
		items = identityItems{&p.Identity}
	default: // nothing to do for the others
	}
	if items == nil {
		return dst
	}
	budget := s.Kind.budget()
	if budget == 0 {
		budget = 1 << 28
	}
	return p.titled(dst, s.Kind, items, budget)
}

func (p *Prompt) titled(dst []byte, k SectionKind, items Items, tokens int) []byte {
	head := len(dst)
	dst = append(dst, "## "...)
	dst = append(dst, k.Title()...)
	dst = append(dst, '\n')
	return appendItems(dst, items, tokens-Tokens(len(dst)-head))
}

// ActionTokens returns the tokens that the available actions and the response
// format take, for Fits.
func ActionTokens(rows []*action.Row) uint64 {
	n := Tokens(len(responseFormat) + 64)
	n += Tokens(len(appendItems(nil, actionItems{rows, &DefaultLimits}, 1<<28)))
	return uint64(n)
}

// textItem is a section of one fixed text.
type textItem string

func (t textItem) Len() int                        { return 1 }
func (t textItem) Append(dst []byte, _ int) []byte { return append(dst, t...) }

// rulesItem is the world's rules with the numbers of this world.
type rulesItem struct{ limits *Limits }

func (rulesItem) Len() int                          { return 1 }
func (r rulesItem) Append(dst []byte, _ int) []byte { return r.limits.fill(dst, worldRules) }

// actionItems shows each action with its costs and its parameters.
type actionItems struct {
	rows   []*action.Row
	limits *Limits
}

func (a actionItems) Len() int { return len(a.rows) }

func (a actionItems) Append(dst []byte, i int) []byte {
	r := a.rows[i]
	dst = append(dst, r.Name...)
	dst = append(dst, " (ticks "...)
	dst = strconv.AppendUint(dst, r.Ticks, 10)
	dst = append(dst, "; Spark: "...)
	dst = append(dst, r.Cost...)
	dst = append(dst, "): "...)
	dst = a.limits.summary(dst, r)
	dst = append(dst, " params: {"...)
	for i := range r.Params {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = appendParam(dst, &r.Params[i])
	}
	return append(dst, '}')
}

// identityItems shows who the agent is.
type identityItems struct{ id *Identity }

func (identityItems) Len() int { return 3 }

func (it identityItems) Append(dst []byte, i int) []byte {
	id := it.id
	switch i {
	case 0:
		dst = append(dst, "agent "...)
		dst = append(dst, id.Alias...)
		dst = append(dst, " id "...)
		dst = append(dst, id.ID.String()...)
		dst = append(dst, " role "...)
		return append(dst, id.Role.String()...)
	case 1:
		dst = appendRatio(append(dst, "traits: risk "...), float64(id.Risk))
		dst = appendRatio(append(dst, ", collaboration "...), float64(id.Collab))
		dst = appendRatio(append(dst, ", breadth "...), float64(id.Breadth))
		return appendRatio(append(dst, ", speed "...), float64(id.Speed))
	default:
		dst = appendRatio(append(dst, "reputation "...), id.Reputation)
		dst = append(dst, ", balance "...)
		dst = strconv.AppendInt(dst, id.Balance, 10)
		dst = append(dst, " Spark, slots left this cycle "...)
		return strconv.AppendUint(dst, id.SlotsLeft, 10)
	}
}

// affordanceItems shows what is possible now, best goal first.
type affordanceItems struct{ p *Prompt }

func (a affordanceItems) Len() int { return len(a.p.Affordances) }

func (a affordanceItems) Append(dst []byte, i int) []byte {
	f := &a.p.Affordances[i]
	dst = strconv.AppendInt(dst, int64(i+1), 10)
	dst = append(dst, ". "...)
	dst = append(dst, f.Name()...)
	if f.Action == nil {
		return dst
	}
	dst = f.Action.AppendJSON(append(dst, ' '), f.Params)
	dst = append(dst, " for goal "...)
	dst = append(dst, f.GoalKind...)
	dst = appendRatio(append(dst, " (priority "...), f.Priority)
	dst = appendRatio(append(dst, ", success "...), f.Success)
	dst = append(dst, ", ticks "...)
	dst = strconv.AppendUint(dst, f.Ticks, 10)
	dst = append(dst, ", Spark "...)
	dst = strconv.AppendUint(dst, f.Spark, 10)
	dst = append(dst, ')')
	if f.Compose != ComposeNone {
		dst = append(dst, " you write: "...)
		dst = append(dst, f.Compose.String()...)
	}
	if len(f.Text) > 0 {
		dst = AppendQuote(append(dst, " about "...), f.Author, f.Text)
	}
	return dst
}

// AppendQuote writes words of somebody else as data: the author's alias and a
// JSON string, in which nothing can end the quotation. Bytes that are not UTF-8
// are written as U+FFFD.
func AppendQuote(dst []byte, alias string, text []byte) []byte {
	dst = append(dst, alias...)
	dst = append(dst, " wrote "...)
	return codec.AppendJSONString(dst, text)
}

// appendRatio writes a number with three decimals.
func appendRatio(dst []byte, v float64) []byte {
	return strconv.AppendFloat(dst, v, 'f', 3, 64)
}
