package scenarios

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v4"

	"kingdom/llm"
)

// maxTemplate is the largest template that is read, in bytes.
const maxTemplate = 1 << 16

// Templates returns the scenario's templates of prompts, nil if it has none.
func (s *Scenario) Templates() *llm.Templates { return s.templates }

// checkPrompts reads the templates and checks them.
func (d *checker) checkPrompts() {
	s := d.s
	t := &llm.Templates{}
	for i, text := range s.Prompts.all() {
		if *text == "" {
			continue
		}
		k := llm.SectionKind(i + 1)
		path := "prompts." + k.String()
		n := d.nodes[path]
		where, quoted := Problem{Field: path}, false // quoted: in a value that is not the text line by line
		where.File, where.Line, where.Column = d.files.position(n)
		if !isTemplate(*text) {
			file, body, problem := d.files.template(n, *text)
			if problem != nil {
				problem.Field = path
				d.problems = append(d.problems, *problem)
				continue
			}
			*text, where = body, Problem{File: file, Field: path}
		} else if where.Line > 0 {
			quoted = n.Style != yaml.LiteralStyle
		}
		if !strings.HasSuffix(*text, "\n") {
			*text += "\n" // so that it is not taken for a path when it is read again
		}
		if len(*text) > maxTemplate { // it could not be read again
			d.fail(n, path, fmt.Sprintf("has %d bytes, with a line break at its end", len(*text)), fmt.Sprintf("want at most %d", maxTemplate))
			continue
		}
		var bad *llm.TemplateError
		if err := t.Set(k, *text); errors.As(err, &bad) {
			switch {
			case !quoted: // the text begins with the file, or below its key
				where.Line, where.Column = where.Line+bad.Line, bad.Column
			case bad.Line == 1 && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
				where.Column += bad.Column
			}
			where.Wrong, where.Right = bad.Wrong, bad.Right
			d.problems = append(d.problems, where)
		}
	}
	if !t.Empty() {
		s.templates = t
	}
}

// isTemplate reports whether a value is a template, not the path of one.
func isTemplate(text string) bool {
	return strings.Contains(text, "\n") || strings.Contains(text, "{{")
}

// template reads the file that a node names: beside the scenario, or in the working directory
// where an override names it.
func (o *origins) template(n *yaml.Node, name string) (file, text string, problem *Problem) {
	p := &Problem{}
	p.File, p.Line, p.Column = o.position(n)
	file = name
	where := "in the working directory"
	if _, set := o.sets[n]; !set {
		where = "beside the scenario"
		if !filepath.IsAbs(name) {
			file = filepath.Join(filepath.Dir(o.file), name)
		}
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.Wrong, p.Right = fmt.Sprintf("names %s, which does not exist", file), "want the path of a template "+where+", or the template itself"
		return file, "", p
	case err == nil && !info.Mode().IsRegular():
		p.Wrong, p.Right = fmt.Sprintf("names %s, which is not a file", file), "want the path of a template"
		return file, "", p
	case err == nil && info.Size() > maxTemplate:
		p.Wrong, p.Right = fmt.Sprintf("names %s, which has %d bytes", file, info.Size()), fmt.Sprintf("want at most %d", maxTemplate)
		return file, "", p
	}
	b, err := os.ReadFile(file)
	if err != nil {
		p.Wrong, p.Right = fmt.Sprintf("cannot be read: %v", err), "want a file that can be read"
		return file, "", p
	}
	if !printable(strings.NewReplacer("\n", "", "\t", "", "\r", "").Replace(string(b))) {
		p.Wrong, p.Right = fmt.Sprintf("names %s, which is not a text file", file), "want UTF-8 without control characters"
		return file, "", p
	}
	return file, strings.ReplaceAll(string(b), "\r\n", "\n"), nil
}
