package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"text/template"

	"kingdom/wire"
)

// Templates replace the text of some sections of a scenario's prompts. They are written in the language of
// text/template and use [Facts]. Heading, budget and order of the sections stay the same. They are read-only and safe
// for concurrent use.
type Templates struct {
	by   [sections + 1]*template.Template
	text [sections + 1]string
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

// TemplateFailure is how the template of a section failed in a prompt, which has the package's own wording instead.
type TemplateFailure struct {
	Section SectionKind
	Err     *TemplateError
}

// FailedTemplates returns the failures in the text of this prompt; after Hash, in the text that Hash created.
func (p *Prompt) FailedTemplates() []TemplateFailure {
	if p.rendered != nil && len(p.failedTemplates) == 0 {
		return p.rendered.failed
	}
	return p.failedTemplates
}

// template writes a section by a scenario's template, cut at the end of a line. It returns an error, a [*TemplateError],
// if the template fails with these facts, which the check in Set cannot exclude.
func (g *sectionWriter) template(t *template.Template, k SectionKind, f *Facts) error {
	var out boundedWriter
	if err := t.Execute(&out, factsFor(k, f)); err != nil {
		return templateError(k, err)
	}
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	kept := lines[:0]
	for _, line := range lines {
		if line = bytes.TrimRight(line, " \t\r"); len(line) > 0 {
			kept = append(kept, line)
		}
	}
	g.dst = appendItems(g.dst, len(kept), g.room, func(dst []byte, i int) []byte { return append(dst, kept[i]...) })
	return nil
}
