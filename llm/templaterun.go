package llm

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"text/template"
	"text/template/parse"
)

// A template is a program, and one that never ends would stop the run. These bounds are far above what a section
// holds, and counted, not timed, so that a template fails on every machine or on none.
const (
	maxOutput = 1 << 20 // bytes that a template writes
	maxSteps  = 1 << 16 // nodes that it executes
	maxMade   = 1 << 13 // bytes of a text that one of its functions makes
	stepBytes = 128     // of an action's source count as a step: a pipeline may be long
)

var (
	errOutput = fmt.Errorf("writes more than %d bytes", maxOutput)
	errSteps  = fmt.Errorf("takes more than %d steps", maxSteps)
	errMade   = fmt.Errorf("makes a text of more than %d bytes", maxMade)
	errWide   = errors.New("has a width or precision of more than three digits, or *")
)

// mark is an empty text: executing it writes nothing, but calls the writer, which counts.
var mark = &parse.TextNode{NodeType: parse.NodeText}

// counted puts marks in front of all nodes of a template and of those that it defines.
func counted(t *template.Template) {
	for _, d := range t.Templates() {
		if d.Tree != nil {
			markList(d.Root)
		}
	}
}

func markList(l *parse.ListNode) {
	if l == nil {
		return
	}
	nodes := []parse.Node{mark} // an empty body counts too
	for _, n := range l.Nodes {
		var pipe *parse.PipeNode
		switch n := n.(type) {
		case *parse.ActionNode:
			pipe = n.Pipe
		case *parse.TemplateNode:
			pipe = n.Pipe
		case *parse.IfNode:
			pipe = markBranch(&n.BranchNode)
		case *parse.WithNode:
			pipe = markBranch(&n.BranchNode)
		case *parse.RangeNode:
			pipe = markBranch(&n.BranchNode)
		}
		steps := 1
		if pipe != nil {
			steps += len(pipe.String()) / stepBytes
		}
		for range steps {
			nodes = append(nodes, mark)
		}
		nodes = append(nodes, n)
	}
	l.Nodes = nodes
}

func markBranch(b *parse.BranchNode) *parse.PipeNode {
	markList(b.List)
	markList(b.ElseList)
	return b.Pipe
}

// boundedWriter takes what a template writes and ends it beyond the bounds.
type boundedWriter struct {
	bytes.Buffer
	steps int
}

func (w *boundedWriter) Write(b []byte) (int, error) {
	if w.steps++; w.steps > maxSteps {
		return 0, errSteps
	}
	if w.Len()+len(b) > maxOutput {
		return 0, errOutput
	}
	return w.Buffer.Write(b)
}

// functions are those of text/template that make texts, bounded: a variable could be doubled until the memory is full.
var functions = template.FuncMap{
	"print":    func(a ...any) (string, error) { return bounded(fmt.Sprint(a...)) },
	"println":  func(a ...any) (string, error) { return bounded(fmt.Sprintln(a...)) },
	"html":     func(a ...any) (string, error) { return bounded(template.HTMLEscaper(a...)) },
	"js":       func(a ...any) (string, error) { return bounded(template.JSEscaper(a...)) },
	"urlquery": func(a ...any) (string, error) { return bounded(template.URLQueryEscaper(a...)) },
	"printf":   printf,
}

func bounded(s string) (string, error) {
	if len(s) > maxMade {
		return "", errMade
	}
	return s, nil
}

// wide finds widths and precisions that make much of little. A * takes them from a value.
var wide = regexp.MustCompile(`%[-+# 0-9.\[\]]*(?:\*|[0-9]{4})`)

// printf refuses what fmt only complains about in its result, such as %d for a text: a model would read it.
func printf(format string, a ...any) (string, error) {
	if wide.MatchString(format) {
		return "", errWide
	}
	s := fmt.Sprintf(format, a...)
	if strings.Contains(s, "%!") && !strings.Contains(fmt.Sprint(a...), "%!") { // in a value it is a word like any other
		verbs := fmt.Sprintf(strings.ReplaceAll(format, "%%", ""), a...) // and so it is behind a percent sign
		if i := strings.Index(verbs, "%!"); i >= 0 {
			return "", fmt.Errorf("%q does not fit its values: it writes %.40q", format, verbs[i:])
		}
	}
	return bounded(s)
}
