package ooda

import (
	"slices"
	"unicode/utf8"

	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// messageText returns the words of a message's content.
func messageText(content []byte) []byte {
	if text := contentText(content); text != nil {
		return memory.TruncatedCopy(text)
	}
	return nil
}

// Quoted is what an agent keeps of a message that it read. Its bytes must not be changed.
type Quoted struct {
	Text  []byte // as far as the notebook keeps it; nil: there is none
	Label []byte // under which it is known
	Quote []byte // the author and the text, in the form in which knowledge keeps them
}

// Quote returns what an agent keeps of a message with this text. The result does not refer to text.
func Quote(m *wire.Message, text []byte) Quoted {
	s := codec.Borrow()
	s.B = llm.AppendQuote(s.B, m.Author.Alias(), text)
	return Quoted{Text: slices.Clone(text), Label: messageLabel(m.ID), Quote: s.Take()}
}

// quote returns what the agent keeps of a message that it read.
func (rr messageReader) quote(m *wire.Message) Quoted {
	text := contentText(m.Content)
	text = text[:min(len(text), memory.NotebookText)]
	if rr.rules.Quoted != nil {
		return rr.rules.Quoted(m, text)
	}
	return Quote(m, text)
}

// contentText returns the words of a message's content, which may share its memory; nil
// when it has none.
func contentText(content []byte) []byte {
	if text, ok := wire.ContentText(content); ok {
		return text
	}
	if c, err := wire.ReadContent(content); err == nil && c.Text != nil {
		return []byte(*c.Text)
	}
	return nil
}

// textOf joins the words of an entry's blocks, what a reader would see of it, as far as
// a look keeps them.
func textOf(body []byte) []byte { return textFrom(body, 0) }

// textFrom is textOf from a byte on, or from the character that it belongs to; of a text that is no longer than that nothing is left.
func textFrom(body []byte, from int) []byte {
	var blocks []wire.ContentBlock
	if wire.BlocksCodec.Decode(body, &blocks) != nil {
		return nil
	}
	s := codec.Borrow()
	defer s.Return()
	for i := range blocks {
		s.B = appendBlock(s.B, &blocks[i])
		if len(s.B) >= from+memory.ReadingText {
			break
		}
	}
	for from < len(s.B) && !utf8.RuneStart(s.B[from]) {
		from--
	}
	rest := s.B[min(from, len(s.B)):]
	return slices.Clone(rest[:min(len(rest), memory.ReadingText)])
}

func appendBlock(dst []byte, b *wire.ContentBlock) []byte {
	switch {
	case b.Section != nil:
		dst = append(dst, b.Section.Heading...)
		for i := range b.Section.Children {
			dst = appendBlock(append(dst, '\n'), &b.Section.Children[i])
		}
	case b.Paragraph != nil:
		dst = append(dst, b.Paragraph.Text...)
	case b.Code != nil:
		dst = append(dst, b.Code.Source...)
	case b.Definition != nil:
		dst = append(append(append(dst, b.Definition.Term...), ": "...), b.Definition.Meaning...)
	case b.Assertion != nil:
		dst = append(dst, b.Assertion.Claim...)
	case b.Warning != nil:
		dst = append(dst, b.Warning.Text...)
	case b.Example != nil:
		dst = append(append(append(dst, b.Example.Input...), " = "...), b.Example.ExpectedOutput...)
	case b.Reference != nil:
		dst = append(dst, b.Reference.Context...)
	case b.Table != nil:
		return appendTable(dst, b.Table)
	}
	return append(dst, '\n')
}

// appendTable writes each row of a table on a line: what it is about, a colon, and the other cells. Headers are left out,
// because rows tell what they are.
func appendTable(dst []byte, t *wire.TableBlock) []byte {
	for _, row := range t.Rows {
		for i, cell := range row {
			switch {
			case i == 1:
				dst = append(dst, ": "...)
			case i > 1:
				dst = append(dst, ", "...)
			}
			dst = append(dst, cell...)
		}
		dst = append(dst, '\n')
	}
	return dst
}
