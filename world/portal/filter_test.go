package portal

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kingdom/wire"
)

var usual = wire.ContentFilter{StripCodeBlocks: true, StripInlineCode: true, MaxSize: maxContent, Format: wire.ContentFormatRaw}

func TestFilter_TakesCodeOut(t *testing.T) {
	for name, c := range map[string]struct {
		html     bool
		in, want string
		blocks   uint32
	}{
		"nothing":             {in: "A map joins.\nThe end.", want: "A map joins.\nThe end."},
		"a fence":             {in: "a\n```go\nx := 1\n```\nb", want: "a\n\nb", blocks: 1},
		"tildes":              {in: "a\n~~~\nx\n~~~~\nb", want: "a\n\nb", blocks: 1},
		"a fence in a fence":  {in: "````\n```\nx\n```\n````\nb", want: "\nb", blocks: 1},
		"a fence in a quote":  {in: "> ```\n> x\n> ```\nb", want: "\nb", blocks: 1},
		"no end of a fence":   {in: "```\nx\n```go\ny\n``` z\n```\nb", want: "\nb", blocks: 1},
		"no fence":            {in: "```x``` b\nc", want: "  b\nc"},
		"an open fence":       {in: "a\n```\nx\n\ny", want: "a\n", blocks: 1},
		"two fences":          {in: "```\nx\n```\na\n```\ny\n```", want: "\na\n", blocks: 2},
		"a fence on one line": {in: "a ```x``` b", want: "a   b"},
		"a list's fence":      {in: "- ```\n  x\n  ```\nb", want: "\nb", blocks: 1},
		"a span":              {in: "call `f(x)` now", want: "call   now"},
		"a double span":       {in: "call ``a`b`` now", want: "call   now"},
		"longer ticks in it":  {in: "call `a``b` now", want: "call   now"},
		"an open span":        {in: "call `f(x) and\nmore\n\nnext", want: "call  \n\nnext"},
		"an end alone":        {in: "call `\n\nnext", want: "call  \n\nnext"},
		"html":                {html: true, in: "<p>a</p><pre class=x>code</pre><p>b <code>c</code> d</p>", want: "<p>a</p>\n<p>b   d</p>", blocks: 1},
		"html that is open":   {html: true, in: "<p>a<PRE>code", want: "<p>a\n", blocks: 1},
		"html in html":        {html: true, in: "<p<pre></pre>re>code", want: "<p\nre>code", blocks: 1},
		"script":              {html: true, in: "a<script>x()</script >b<style>y{}</style>c", want: "a\nb\nc", blocks: 2},
		"pre in a plain text": {in: "<pre>x</pre>", want: "<pre>x</pre>"},
	} {
		t.Run(name, func(t *testing.T) {
			kind := "text/plain"
			if c.html {
				kind = "Text/HTML; charset=utf-8"
			}
			got, sum := Filter(&usual, []byte(kind), []byte(c.in))
			if string(got) != c.want || sum.CodeBlocksRemoved != c.blocks {
				t.Errorf("%q, %d blocks; want %q, %d", got, sum.CodeBlocksRemoved, c.want, c.blocks)
			}
		})
	}
}

func TestFilter_Warnings(t *testing.T) {
	for in, want := range map[string]string{
		"func f() {\n    return;\n}\nend": warnDense,
		"prose.\nmore prose.\nif x {":     "",
		"":                                "",
		strings.Repeat("é", 40_000):       warnCut,
	} {
		got, sum := Filter(&usual, nil, []byte(in))
		var warned string
		for _, w := range sum.Warnings {
			warned += string(w)
		}
		if warned != want || len(got) > maxContent {
			t.Errorf("%.20q: warnings %q, want %q; %d bytes", in, warned, want, len(got))
		}
	}
}

func TestFilter_Formats(t *testing.T) {
	page := "<h1>Maps</h1><p>A map joins &amp; maps. It is old.<ul><li>one<li>two</ul><h2>More</h2>&#96;code&#96; ends."
	f := usual
	f.Format = wire.ContentFormatStructured
	got, _ := Filter(&f, []byte("text/html"), []byte(page))
	var blocks []wire.ContentBlock
	if err := wire.BlocksCodec.DecodeCanonical(got, &blocks); err != nil {
		t.Fatal(err)
	}
	if len(blocks) != 2 || blocks[0].Section.Heading != "Maps" || len(blocks[0].Section.Children) != 3 || blocks[1].Section.Heading != "More" {
		t.Errorf("blocks %s", wire.BlocksCodec.AppendJSON(nil, &blocks))
	}
	if p := blocks[1].Section.Children[0].Paragraph.Text; p != "ends." {
		t.Errorf("what was code in entities became %q", p)
	}
	f.Format = wire.ContentFormatSummary
	for in, want := range map[string]int{"short. text": 11, strings.Repeat("A sentence. ", 200): 1019, strings.Repeat("word ", 400): 1024} {
		if got, _ := Filter(&f, nil, []byte(in)); len(got) != want {
			t.Errorf("%.20q: a summary of %d bytes, want %d", in, len(got), want)
		}
	}
	f = usual
	f.TransformAPIs, f.TransformExamples = true, true
	got, sum := Filter(&f, nil, []byte("Use insert(k, v) to add.\n    a = 1\n    b = 2\n    c = 3\nThe end."))
	if want := "Use insert to add.\n[an example of 3 lines was left out]\nThe end."; string(got) != want || sum.Transformations != 2 {
		t.Errorf("%q with %d transformations, want %q with 2", got, sum.Transformations, want)
	}
}

// TestFilter_Property: whatever comes in, no back-tick and no code element of HTML comes out, the
// result is no longer than asked for, and it fits into an envelope.
func TestFilter_Property(t *testing.T) {
	piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"```", "~~~", "`", "``", "\n", "\n\n", "<pre>", "</pre>", "<code>", "</code>", "<p", "re>", "# ", ">", "    ", "x();", "a. ", "&#96;", "<script", "\xff",
	}))
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "pieces"), "")
		f := usual
		f.MaxSize = rapid.Uint32Range(0, 400).Draw(t, "max_size")
		f.TransformAPIs, f.TransformExamples = rapid.Bool().Draw(t, "apis"), rapid.Bool().Draw(t, "examples")
		f.Format = wire.ContentFormat(rapid.IntRange(1, 3).Draw(t, "format"))
		kind := rapid.SampledFrom([]string{"text/plain", "text/html"}).Draw(t, "type")
		out, sum := Filter(&f, []byte(kind), []byte(in))
		again, _ := Filter(&f, []byte(kind), []byte(in))
		if string(out) != string(again) {
			t.Fatal("the same content became two texts")
		}
		if strings.Contains(string(out), "`") {
			t.Fatalf("%q leaves a back-tick in %q", in, out)
		}
		if kind == "text/html" && f.Format == wire.ContentFormatRaw {
			for _, tag := range []string{"<pre>", "<code>", "<script>"} {
				if strings.Contains(strings.ToLower(string(out)), tag) {
					t.Fatalf("%q leaves %s in %q", in, tag, out)
				}
			}
		}
		if f.Format != wire.ContentFormatStructured && f.MaxSize > 0 && !f.TransformExamples && len(out) > int(f.MaxSize)+len(sum.Warnings) {
			t.Fatalf("%d bytes of at most %d", len(out), f.MaxSize)
		}
	})
}

func FuzzFilter(f *testing.F) {
	f.Add([]byte("a\n```\nx\n```"), true, uint8(1))
	f.Add([]byte("<pre>`"), false, uint8(2))
	f.Fuzz(func(t *testing.T, in []byte, html bool, format uint8) {
		q, kind := usual, "text/plain"
		q.Format = wire.ContentFormat(1 + format%3)
		if html {
			kind = "text/html"
		}
		out, _ := Filter(&q, []byte(kind), in)
		if strings.Contains(string(out), "`") || len(out) > 262_144 {
			t.Fatalf("%q becomes %d bytes: %q", in, len(out), out)
		}
	})
}
