package ooda

import (
	"bytes"
	"fmt"
	"net/url"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// sourceTag begins the tag by which an entry names the request that brought the page it is made of.
const sourceTag = "portal_source:"

// statusOK is the status of HTTP of a page that is there.
const statusOK = 200

// pageLabel is how many bytes of its address name what is known of a page.
const pageLabel = 256

// pageTrust is the confidence in what a page of the outside says.
const pageTrust = 0.5

// encyclopedia is where agents look up what nobody in this world has told them, unless an operator has closed it.
const encyclopedia = "https://en.wikipedia.org/wiki/"

// offerPage offers to look up on the web a pattern that somebody has asked about and that the agent knows too little
// of to answer, for the newest question first. A page that was read is not requested again. After requests that failed
// the agent tries again only if it takes the chance.
func (o explorer) offerPage(g *goals.Goal) {
	row := o.seen.action("web_request")
	if row == nil || !o.seen.gateOpen(row, nil) || !o.believer().takesChance(o.believer().chance(worksClaim(row))) {
		return
	}
	for i := len(o.notes.Messages) - 1; i >= 0; i-- {
		n := &o.notes.Messages[i]
		if n.Kind != wire.MessageKindQuestion || !n.Read || n.Answered {
			continue
		}
		m, subject, asks := memory.ReadQuestion(n.Text)
		if !asks || m != memory.MeasurePattern || o.expert().knowOf(m, subject) >= knows {
			continue
		}
		address := append([]byte(encyclopedia), subject...)
		if _, known := o.agent.Memory.Knowledge.Node(memory.NodeID(address)); known {
			continue
		}
		o.offer(g, row, &wire.WebRequest{
			URL: address, Method: wire.HTTPMethodGet, Headers: codec.BinMap{}, Purpose: []byte("to answer a question"),
			Filter: wire.ContentFilter{StripCodeBlocks: true, StripInlineCode: true, MaxSize: maxPage, Format: wire.ContentFormatSummary},
		}, 0.9)
		return
	}
}

// maxPage is how many bytes of a page are looked at.
const maxPage = 65_536

// readPage shows the result of a web request: the tag to cite it by, what the server said of it, and its text, which
// has no author in this world.
func readPage(b *wire.WebResponse, words []byte) memory.ReadThing {
	what := fmt.Sprintf("page %s%v, status %d", sourceTag, b.RequestID, b.Status)
	if n := b.Filtered.CodeBlocksRemoved; n > 0 {
		what += ", without " + llm.Count(uint64(n), "block") + " of code"
	}
	return memory.ReadThing{What: what, Text: words}
}

// pageWords is the text of a page in whatever format it was asked for.
func pageWords(q *wire.WebRequest, b *wire.WebResponse) []byte {
	if q.Filter.Format == wire.ContentFormatStructured {
		return bytes.TrimSpace(textOf(b.Content))
	}
	return bytes.TrimSpace(b.Content)
}

// notePage learns what a page says, under its address. Pages that are not there teach nothing.
func (rr *replyReader) notePage(p *pending, b *wire.WebResponse) {
	q, ok := p.payload.(*wire.WebRequest)
	if !ok {
		return
	}
	rr.words = pageWords(q, b)
	words := memory.TruncatedCopy(rr.words)
	if b.Status != statusOK || len(words) == 0 {
		return
	}
	rr.fresh++
	if word, ok := bytes.CutPrefix(q.URL, []byte(encyclopedia)); ok && rr.expert().knowOf(memory.MeasurePattern, word) < pageTrust {
		rr.agent.Memory.Topics.Learn(memory.MeasurePattern.Topic(word), pageTrust, float64(rr.agent.Genome.Traits.DepthVsBreadth))
	}
	quoted := codec.Borrow()
	quoted.B = llm.AppendQuote(quoted.B, hostOf(q.URL), words)
	rr.agent.Memory.Knowledge.Learn(q.URL[:min(len(q.URL), pageLabel)], quoted.B, memory.KnowledgePeerCommunication, pageTrust, rr.seen.tick)
	quoted.Return()
}

// hostOf is who speaks on a page, as a quotation names its author.
func hostOf(raw []byte) string {
	u, err := url.Parse(string(raw))
	if err != nil {
		return ""
	}
	return u.Hostname()
}
