package portal

import (
	"fmt"
	"regexp"
	"strings"
)

// Removed code is replaced by a space or an empty line, so that the text before and after it does not join to new code.

// Code elements of HTML. An element that is not closed extends to the end of the text.
var (
	htmlBlocks = regexp.MustCompile(`(?is)<pre\b.*?(?:</pre\s*>|\z)|<script\b.*?(?:</script\s*>|\z)|<style\b.*?(?:</style\s*>|\z)|<textarea\b.*?(?:</textarea\s*>|\z)`)
	htmlSpans  = regexp.MustCompile(`(?is)<code\b.*?(?:</code\s*>|\z)|<kbd\b.*?(?:</kbd\s*>|\z)|<samp\b.*?(?:</samp\s*>|\z)`)
)

// stripBlocks removes fenced code blocks and, in HTML, code elements, and returns how many there were.
func stripBlocks(text string, html bool) (string, uint32) {
	var n uint32
	if html {
		text = htmlBlocks.ReplaceAllStringFunc(text, func(string) string { n++; return "\n" })
	}
	var out []string
	open := "" // the fence of the block that the line is in
	for _, line := range strings.Split(text, "\n") {
		f := fence(line)
		switch {
		case open != "":
			if strings.HasPrefix(f, open) && strings.TrimLeft(trimFencePrefix(line), f[:1]+" \t\r") == "" {
				open = ""
			}
		case f != "" && !strings.Contains(strings.TrimLeft(trimFencePrefix(line), f[:1]), "`"):
			open = f
			n++
			out = append(out, "")
		default:
			out = append(out, line)
		}
	}
	if n == 0 {
		return text, 0
	}
	return strings.Join(out, "\n"), n
}

// fence returns the run of back-ticks or tildes that makes a line a fence, or "". The line may be in a quotation or a
// list.
func fence(line string) string {
	line = trimFencePrefix(line)
	for _, c := range []string{"`", "~"} {
		if run := line[:len(line)-len(strings.TrimLeft(line, c))]; len(run) >= 3 {
			return run
		}
	}
	return ""
}

// fencePrefix matches what may precede a fence: quotation and list markers.
var fencePrefix = regexp.MustCompile(`^[ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+[ \t>]*)*`)

func trimFencePrefix(line string) string { return line[len(fencePrefix.FindString(line)):] }

// stripSpans removes back-tick spans and, in HTML, inline code elements. A span ends with as many back-ticks as it
// began with; a span that is not closed extends to the end of its paragraph.
func stripSpans(text string, html bool) string {
	if html {
		text = htmlSpans.ReplaceAllString(text, " ")
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '`')
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		b.WriteByte(' ')
		rest := strings.TrimLeft(text[i:], "`")
		text = rest[spanEnd(rest, len(text)-i-len(rest)):]
	}
}

// spanEnd returns the end of a span in text, which follows the opening run of n back-ticks.
func spanEnd(text string, n int) int {
	for i := 0; i < len(text); i++ {
		run := len(text) - i - len(strings.TrimLeft(text[i:], "`"))
		if i += run; run == n {
			return i
		}
	}
	if end := strings.Index(text, "\n\n"); end >= 0 {
		return end
	}
	return len(text)
}

// looksLikeCode reports whether a line that is not blank is indented or ends like code.
func looksLikeCode(line string) bool {
	line = strings.TrimRight(line, " \t\r")
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") || strings.IndexByte("{};):", line[len(line)-1]) >= 0
}

// mostlyCode reports whether more than half of the lines that are not blank look like code.
func mostlyCode(text string) bool {
	all, code := 0, 0
	for _, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		all++
		if looksLikeCode(line) {
			code++
		}
	}
	return 2*code > all
}

// exampleLines is the minimum number of consecutive lines that look like code and count as an example.
const exampleLines = 3

// replaceExamples replaces every example by a note, and returns how many there were.
func replaceExamples(text string) (string, uint32) {
	var out, run []string
	var n uint32
	flush := func() {
		if len(run) >= exampleLines {
			n++
			run = []string{fmt.Sprintf("[an example of %d lines was left out]", len(run))}
		}
		out, run = append(out, run...), nil
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) != "" && looksLikeCode(line) {
			run = append(run, line)
			continue
		}
		flush()
		out = append(out, line)
	}
	flush()
	return strings.Join(out, "\n"), n
}

var callPattern = regexp.MustCompile(`\b([A-Za-z_][A-Za-z0-9_.]*)\([^()\n]*\)`)

// replaceCalls replaces calls in the text by the names that are called, and returns how many there were.
func replaceCalls(text string) (string, uint32) {
	var n uint32
	text = callPattern.ReplaceAllStringFunc(text, func(c string) string {
		n++
		return c[:strings.IndexByte(c, '(')]
	})
	return text, n
}
