package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"
	"text/template"

	"kingdom/wire"
)

// Templates replace the text of some sections of a scenario's prompts. They are written in the language of
// text/template and use [Facts]. Heading, budget and order of the sections stay the same. They are read-only and safe
// for concurrent use.
type Templates struct {
	by     [sections + 1]*template.Template
	text   [sections + 1]string
	failed [sections + 1]atomic.Pointer[TemplateError] // the first failure of each
}

// TemplateError says what is wrong with a template.
type TemplateError struct {
	Line   int    // from 1; 0: unknown
	Column int    // from 1; 0: unknown
	Wrong  string // what is there
	Right  string // what would be right
}

// Error implements error.
func (e *TemplateError) Error() string {
	return fmt.Sprintf("line %d: %s; %s", e.Line, e.Wrong, e.Right)
}

// Set sets the template of a section. The error is a [*TemplateError]: the text is not a template, uses a field that
// the facts do not have, or fails or goes on for too long with example facts.
func (t *Templates) Set(k SectionKind, text string) error {
	tmpl, err := template.New(k.String()).Option("missingkey=error").Funcs(functions).Parse(text)
	if err != nil {
		return templateError(k, err)
	}
	if err := checkFields(k, tmpl, text); err != nil {
		return err
	}
	addStepMarkers(tmpl)
	for _, f := range []*Facts{exampleFacts(), {}} {
		if err := tmpl.Execute(&boundedWriter{}, factsFor(k, f)); err != nil {
			return templateError(k, err)
		}
	}
	t.by[k], t.text[k] = tmpl, text
	return nil
}

// Empty reports whether no section has a template.
func (t *Templates) Empty() bool { return t == nil || t.text == [sections + 1]string{} }

// Digest returns a hash over the templates of all sections.
func (t *Templates) Digest() wire.Hash {
	h := sha256.New()
	for _, text := range t.text {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
		h.Write([]byte(text))
	}
	return wire.Hash(h.Sum(nil))
}

func (t *Templates) of(k SectionKind) *template.Template {
	if t == nil {
		return nil
	}
	return t.by[k]
}

// stableFacts are the facts that templates of the first three sections see. They are equal for all agents with equal
// rights.
type stableFacts struct {
	Rules   Limits
	Actions ActionFacts
}

func factsFor(k SectionKind, f *Facts) any {
	if k.Stable() {
		return &stableFacts{f.Rules, f.Actions}
	}
	return f
}

// FirstFailure returns how the template of a section failed first in a prompt that has the package's own wording
// instead; nil: it has not failed. Which agent's prompt that was depends on the order in which agents think.
func (t *Templates) FirstFailure(k SectionKind) *TemplateError {
	if t == nil {
		return nil
	}
	return t.failed[k].Load()
}

// template writes a section by a scenario's template, cut at the end of a line. It returns false if the template fails
// with these facts, which the check in Set cannot exclude.
func (g *sectionWriter) template(ts *Templates, k SectionKind, f *Facts) bool {
	var out boundedWriter
	if err := ts.by[k].Execute(&out, factsFor(k, f)); err != nil {
		var failure *TemplateError
		if errors.As(templateError(k, err), &failure) {
			ts.failed[k].CompareAndSwap(nil, failure)
		}
		return false
	}
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	kept := lines[:0]
	for _, line := range lines {
		if line = bytes.TrimRight(line, " \t\r"); len(line) > 0 {
			kept = append(kept, line)
		}
	}
	g.dst = appendItems(g.dst, len(kept), g.room, func(dst []byte, i int) []byte { return append(dst, kept[i]...) })
	return true
}
