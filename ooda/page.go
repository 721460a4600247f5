package ooda

import (
	"bytes"
	"fmt"
	"net/url"

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

// readPage shows what came of a request to the outside: the tag to cite it by, what the server said
// of it, and its words, which are nobody's of this world.
func readPage(b *wire.WebResponse, words []byte) memory.ReadThing {
	what := fmt.Sprintf("page %s%v, status %d", sourceTag, b.RequestID, b.Status)
	if n := b.Filtered.CodeBlocksRemoved; n > 0 {
		what += ", without " + count(int(n), "block") + " of code"
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
	words := memory.Clip(rr.words)
	if b.Status != statusOK || len(words) == 0 {
		return
	}
	rr.fresh++
	quoted := codec.Borrow()
	quoted.B = llm.AppendQuote(quoted.B, hostOf(q.URL), words)
	rr.agent.Memory.Knowledge.Learn(bytes.Clone(q.URL[:min(len(q.URL), pageLabel)]), quoted.Take(), memory.KnowledgePeerCommunication, pageTrust, rr.seen.tick)
}

// hostOf is who speaks on a page, as a quotation names its author.
func hostOf(raw []byte) string {
	u, err := url.Parse(string(raw))
	if err != nil {
		return ""
	}
	return u.Hostname()
}
