package openai

import (
	"context"
	"fmt"
	"math"

	"kingdom/llm"
	"kingdom/llm/spend"
	"kingdom/wire"
)

// Message is one message of an interview.
type Message struct {
	Role    string `json:"role"` // system, user or assistant
	Content string `json:"content"`
}

// Interview asks the models of tier 1 to go on with a conversation. The answer is text in whatever form the model chooses;
// what it says that it only thought is left out. who is charged. As for Think, whatever a provider does becomes the outcome,
// and an error means that what was spent could not be recorded.
func (m *Mind) Interview(ctx context.Context, who wire.AgentID, conversation []Message) (llm.Thought, error) {
	th, _, err := m.within(ctx, interviewQuestion{who, conversation}, math.MaxInt64)
	return th, err
}

// interviewQuestion asks for the next message of a conversation.
type interviewQuestion struct {
	who          wire.AgentID
	conversation []Message
}

func (q interviewQuestion) payer() spend.Payer { return spend.Payer{Agent: q.who, Tier: llm.Tier1} }

func (q interviewQuestion) prepare(c *client, with *profile) (messages, error) {
	size := 0
	for i := range q.conversation {
		size += len(q.conversation[i].Content)
	}
	if takes, most := uint64(llm.Tokens(size))+c.MaxOutput, with.context(c.Model); most != 0 && takes > most {
		return messages{}, fmt.Errorf("model %q takes %d tokens (context), and the interview needs %d with its answer (max_output); ask less at once, or another model with --model", c.Name, most, takes)
	}
	return messages{size: size, encode: func() request {
		fields := with.settings(c.Model)
		fields["messages"] = encoded(q.conversation)
		return request(encoded(fields))
	}}, nil
}
