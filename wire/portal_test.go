package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A mind that says nothing about the filter gets the usual one, and single fields of it have
// their defaults too.
func TestWebRequest_FilterDefaults(t *testing.T) {
	usual := ContentFilter{StripCodeBlocks: true, StripInlineCode: true, MaxSize: 65_536, Format: ContentFormatRaw}
	summary := usual
	summary.Format, summary.MaxSize = ContentFormatSummary, 99
	for raw, want := range map[string]ContentFilter{
		`{"url":"u","purpose":""}`:                                             usual,
		`{"url":"u","purpose":"","filter":null}`:                               usual,
		`{"url":"u","purpose":"","filter":{}}`:                                 usual,
		`{"url":"u","purpose":"","filter":{"format":"SUMMARY","max_size":99}}`: summary,
	} {
		v, err := RequestFromJSON(TypeWebRequest, []byte(raw), nil)
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		if d := cmp.Diff(want, v.(*WebRequest).Filter); d != "" {
			t.Errorf("%s (-want +got):\n%s", raw, d)
		}
		if m := v.(*WebRequest).Method; m != HTTPMethodGet {
			t.Errorf("%s: method %v", raw, m)
		}
	}
}
