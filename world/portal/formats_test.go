package portal

import (
	"strings"
	"testing"

	"kingdom/wire"
)

// formatted returns what an agent reads of a page in a format, and the warnings.
func formatted(f wire.ContentFormat, kind, page string) (text, warnings string) {
	q := usual
	q.Format = f
	out, sum := Filter(&q, []byte(kind), []byte(page))
	for _, w := range sum.Warnings {
		warnings += string(w)
	}
	return string(out), warnings
}

// outline shows the blocks of a STRUCTURED answer: a heading as "# heading", a paragraph of a section with two spaces.
func outline(t *testing.T, encoded string) (lines []string) {
	t.Helper()
	var blocks []wire.ContentBlock
	if err := wire.BlocksCodec.DecodeCanonical([]byte(encoded), &blocks); err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		if b.Section == nil {
			lines = append(lines, b.Paragraph.Text)
			continue
		}
		lines = append(lines, "# "+b.Section.Heading)
		for _, c := range b.Section.Children {
			lines = append(lines, "  "+c.Paragraph.Text)
		}
	}
	return lines
}

func TestStructured_Blocks(t *testing.T) {
	for name, c := range map[string]struct{ kind, page, want string }{
		"nothing":                      {"text/plain", "", ""},
		"paragraphs without a heading": {"text/plain", "one\n\ntwo\nlines", "one|two\nlines"},
		"before and after a heading":   {"text/plain", "one\n\n# H\ntwo\n\nthree\n\n## I", "one|# H|  two|  three|# I"},
		"blanks around":                {"text/plain", "one \n\n  # H  \n two \n\n\t# I", "one|# H|  two|# I"},
		"an empty paragraph":           {"text/html", "<p>one</p><p>&nbsp;</p><p>two</p>", "one|two"},
		"a heading without a text":     {"text/plain", "#\nthree", "three"},
	} {
		got, warned := formatted(wire.ContentFormatStructured, c.kind, c.page)
		if is := strings.Join(outline(t, got), "|"); is != c.want || warned != "" {
			t.Errorf("%s: %q, want %q; warnings %q", name, is, c.want, warned)
		}
	}
}

// A long page is cut, never between a heading and the text below it; the agent is told so.
func TestStructured_AtMost512Blocks(t *testing.T) {
	for _, c := range []struct {
		part         string
		count, kept  int
		wantsWarning bool
	}{
		{"# H\ntext\n\n", 256, 512, false},
		{"# H\ntext\n\n", 257, 512, true},
		{"text\n\n", 512, 512, false},
		{"text\n\n", 513, 512, true},
		{"# H\n\n", 512, 512, false},
		{"text\n\n# H\ntext\n\n", 171, 511, true}, // the last heading would be the 512th block, its text the 513th
	} {
		got, warned := formatted(wire.ContentFormatStructured, "text/plain", strings.Repeat(c.part, c.count))
		if lines := outline(t, got); len(lines) != c.kept || (warned == warnBlocks) != c.wantsWarning {
			t.Errorf("%d times %q: %d blocks, warnings %q; want %d, a warning: %v", c.count, c.part, len(lines), warned, c.kept, c.wantsWarning)
		}
	}
}

func TestSummary_EndsWithASentence(t *testing.T) {
	words := strings.Repeat("word ", 200) // 1,000 bytes
	for name, c := range map[string]struct{ page, want string }{
		"a page that fits":        {words + strings.Repeat("x", 24), words + strings.Repeat("x", 24)},
		"one byte too many":       {words + "The end. " + strings.Repeat("x", 16), words + "The end."},
		"before a new line":       {words + "Is it so?\n" + strings.Repeat("x", 100), words + "Is it so?"},
		"no sentence in a number": {"An end! " + strings.Repeat("1.5,", 400), "An end!"},
		"no sentence":             {strings.Repeat("word ", 400), strings.Repeat("word ", 204) + "word"},
		"code in entities":        {"<p>a</p>\n&#126;~~\nx = 1\n&#126;~~\n<p>b</p>", "a\n\nb"},
	} {
		kind := "text/plain"
		if strings.HasPrefix(c.page, "<") {
			kind = "text/html"
		}
		if got, _ := formatted(wire.ContentFormatSummary, kind, c.page); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// The content is cut to max_size, 0 for the maximum, and never within a character.
func TestFilter_MaxSize(t *testing.T) {
	const all = "a€é😀b" // 1, 3, 2, 4 and 1 bytes
	for size, want := range map[uint32]string{
		0: all, 1: "a", 2: "a", 3: "a", 4: "a€", 5: "a€", 6: "a€é", 7: "a€é", 8: "a€é", 9: "a€é", 10: "a€é😀", 11: all, 12: all,
	} {
		f := usual
		f.MaxSize = size
		got, sum := Filter(&f, nil, []byte(all))
		if cut := len(sum.Warnings) > 0; string(got) != want || cut != (want != all) {
			t.Errorf("%d bytes: %q, want %q; warnings %q", size, got, want, sum.Warnings)
		}
	}
	f := usual
	f.MaxSize = 0
	if got, _ := Filter(&f, nil, []byte(strings.Repeat("x", maxContent+1))); len(got) != maxContent {
		t.Errorf("%d bytes at most, want %d", len(got), maxContent)
	}
	f.MaxSize = 2
	if got, _ := Filter(&f, nil, []byte("€")); len(got) != 0 {
		t.Errorf("the beginning of a character: %q", got)
	}
}

// A line looks like code if it is indented by four or by a tab or ends in { } ; ) :, whatever blanks follow.
func TestMostlyCode(t *testing.T) {
	for text, want := range map[string]bool{
		"f {": true, "}": true, "x = 1;": true, "f(x)": true, "then:": true, "x = 1; \t\r": true, "    x": true, "\tx": true,
		"   x": false, "x = 1": false, "prose, and more.": false,
		"a;\n\nb;\nprose": true, "a;\nprose": false, "a;\nprose\n\n\n": false, "a;\nb;\nprose\nmore": false,
	} {
		if got := mostlyCode(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

// Three or more consecutive lines of code are an example; fewer stay.
func TestReplaceExamples(t *testing.T) {
	for text, want := range map[string]string{
		"a;\nb;\nc;":             "[an example of 3 lines was left out]",
		"prose\na;\nb;":          "prose\na;\nb;",
		"a;\nb;\nprose\nc;\nd;":  "a;\nb;\nprose\nc;\nd;",
		"a;\nb;\n\nc;":           "a;\nb;\n\nc;",
		"a;\nb;\nc;\nd;\nprose.": "[an example of 4 lines was left out]\nprose.",
	} {
		if got, n := replaceExamples(text); got != want || n != uint32(strings.Count(want, "[")) {
			t.Errorf("%q: %q with %d, want %q", text, got, n, want)
		}
	}
}
