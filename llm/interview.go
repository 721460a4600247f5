package llm

// Interview returns two messages with which somebody outside the world can question the prompt's agent: system has the
// rules of the world and how to answer, user what the agent is told about itself, its memory and its situation. It has
// neither actions nor offers, because the agent cannot act in an interview. Questions are to follow in user messages,
// the first of them appended to user.
func (p *Prompt) Interview() (system, user []byte) {
	asked := *p
	asked.rendered = nil
	f := asked.Facts()
	system = append(asked.section(nil, SectionRules, f, unlimited), interviewRules...)
	for k := SectionIdentity; k <= SectionState; k++ {
		user = asked.section(user, k, f, unlimited)
	}
	return system, append(user, interviewHeading...)
}

// interviewRules tells the agent what an interview is.
const interviewRules = `## INTERVIEW
Now somebody from outside the world talks with you. Time stands still: you cannot act, and nobody in the world will know what you say.
Answer as yourself, in plain text and in the first person, in a few sentences. Answer from what you are told below about yourself, your memory and your situation. If you do not know something, say so. Name agents by their aliases and things by their titles.
`

// interviewHeading precedes the first question.
const interviewHeading = "## QUESTION\n"
