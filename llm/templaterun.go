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

// Limits of a template. It is a program, and one that never ends would stop the run. The limits are far above what a
// section holds. They are counts and not times, so that a template fails on every machine or on none.
const (
	maxOutput = 1 << 20 // bytes that a template writes
	maxSteps  = 1 << 16 // nodes that it executes
	maxText   = 1 << 13 // bytes of a text that one of its functions returns
	stepBytes = 128     // bytes of an action's source that count as one more step, since a pipeline may be long
)

var (
	errTooMuchOutput = fmt.Errorf("writes more than %d bytes", maxOutput)
	errTooManySteps  = fmt.Errorf("takes more than %d steps", maxSteps)
	errTextTooLong   = fmt.Errorf("makes a text of more than %d bytes", maxText)
	errTooWide       = errors.New("has a width or precision of more than three digits, or *")
)

// stepMarker is an empty text node. Executing it writes nothing but calls the writer, which counts it as a step.
var stepMarker = &parse.TextNode{NodeType: parse.NodeText}

// addStepMarkers puts step markers in front of all nodes of a template and of the templates that it defines.
func addStepMarkers(t *template.Template) {
	for _, d := range t.Templates() {
		if d.Tree != nil {
			addMarkersToList(d.Root)
		}
	}
}

func addMarkersToList(l *parse.ListNode) {
	if l == nil {
		return
	}
	nodes := []parse.Node{stepMarker} // an empty body counts too
	for _, n := range l.Nodes {
		var pipe *parse.PipeNode
		switch n := n.(type) {
		case *parse.ActionNode:
			pipe = n.Pipe
		case *parse.TemplateNode:
			pipe = n.Pipe
		case *parse.IfNode:
			pipe = addMarkersToBranch(&n.BranchNode)
		case *parse.WithNode:
			pipe = addMarkersToBranch(&n.BranchNode)
		case *parse.RangeNode:
			pipe = addMarkersToBranch(&n.BranchNode)
		}
		steps := 1
		if pipe != nil {
			steps += len(pipe.String()) / stepBytes
		}
		for range steps {
			nodes = append(nodes, stepMarker)
		}
		nodes = append(nodes, n)
	}
	l.Nodes = nodes
}

func addMarkersToBranch(b *parse.BranchNode) *parse.PipeNode {
	addMarkersToList(b.List)
	addMarkersToList(b.ElseList)
	return b.Pipe
}

// boundedWriter collects what a template writes. Write returns an error beyond the limits, which ends the template.
type boundedWriter struct {
	bytes.Buffer
	steps int
}

func (w *boundedWriter) Write(b []byte) (int, error) {
	if w.steps++; w.steps > maxSteps {
		return 0, errTooManySteps
	}
	if w.Len()+len(b) > maxOutput {
		return 0, errTooMuchOutput
	}
	return w.Buffer.Write(b)
}

// functions replace those functions of text/template that return texts by versions with a length limit: without it a
// template could double a variable until the memory is full.
var functions = template.FuncMap{
	"print":    func(a ...any) (string, error) { return bounded(fmt.Sprint(a...)) },
	"println":  func(a ...any) (string, error) { return bounded(fmt.Sprintln(a...)) },
	"html":     func(a ...any) (string, error) { return bounded(template.HTMLEscaper(a...)) },
	"js":       func(a ...any) (string, error) { return bounded(template.JSEscaper(a...)) },
	"urlquery": func(a ...any) (string, error) { return bounded(template.URLQueryEscaper(a...)) },
	"printf":   printf,
}

func bounded(s string) (string, error) {
	if len(s) > maxText {
		return "", errTextTooLong
	}
	return s, nil
}

// wideVerb finds widths and precisions of more than three digits, which make a long text of a short value, and *, which takes
// them from a value.
var wideVerb = regexp.MustCompile(`%[-+# 0-9.\[\]]*(?:\*|[0-9]{4})`)

// printf returns an error for what fmt only reports inside its result, such as %d for a text, because a model would
// read that report.
func printf(format string, a ...any) (string, error) {
	if wideVerb.MatchString(format) {
		return "", errTooWide
	}
	s := fmt.Sprintf(format, a...)
	if strings.Contains(s, "%!") && !strings.Contains(fmt.Sprint(a...), "%!") { // inside a value it is an ordinary text
		verbs := fmt.Sprintf(strings.ReplaceAll(format, "%%", ""), a...) // %% followed by ! is not a report either
		if i := strings.Index(verbs, "%!"); i >= 0 {
			return "", fmt.Errorf("%q does not fit its values: it writes %.40q", format, verbs[i:])
		}
	}
	return bounded(s)
}
