package world

import (
	"slices"
	"testing"

	"kingdom/wire/action"
)

func TestFit_PrefixWithinTheBound(t *testing.T) {
	for _, tc := range []struct {
		name         string
		rough, exact []int
		want         int
		asked        bool
	}{
		{"nothing", nil, nil, 0, false},
		{"all, without a look", []int{131_072, 131_072}, []int{1 << 30, 1 << 30}, 2, false},
		{"all, after a look", []int{131_072, 131_073}, []int{131_072, 131_072}, 2, true},
		{"one byte more", []int{131_072, 131_073}, []int{131_072, 131_073}, 1, true},
		{"one at least", []int{1 << 20, 1}, []int{1 << 20, 1}, 1, true},
		{"in order, not the best fit", []int{200_000, 100_000, 1}, []int{200_000, 100_000, 1}, 1, true},
	} {
		asked := false
		got := Fit(len(tc.rough), func(i int) int { return tc.rough[i] }, func(i int) int { asked = true; return tc.exact[i] })
		if got != tc.want || asked != tc.asked {
			t.Errorf("%s: %d fit, asked %t; want %d, %t", tc.name, got, asked, tc.want, tc.asked)
		}
	}
}

func TestPage_LimitOffsetAndNext(t *testing.T) {
	matches := []int{0, 1, 2, 3, 4, 5, 6}
	for _, tc := range []struct {
		limit, offset uint32
		want          []int
		fit           int
		next          int // -1: none
	}{
		{0, 0, matches, 7, -1},
		{3, 0, []int{0, 1, 2}, 3, 3},
		{3, 4, []int{4, 5, 6}, 3, -1},
		{3, 4, []int{4, 5, 6}, 2, 6}, // the last one did not fit
		{3, 6, []int{6}, 1, -1},
		{3, 9, nil, 0, -1},
	} {
		p := PageOf(tc.limit, tc.offset)
		found := matches[:min(len(matches), p.Reach())]
		if got := Part(p, found); !slices.Equal(got, tc.want) {
			t.Errorf("limit %d, offset %d: %v, want %v", tc.limit, tc.offset, got, tc.want)
		}
		got := -1
		if n := p.Next(tc.fit, len(found)); n != nil {
			got = int(*n)
		}
		if got != tc.next {
			t.Errorf("limit %d, offset %d, %d fit: next %d, want %d", tc.limit, tc.offset, tc.fit, got, tc.next)
		}
	}
	if got := PageOf(0, 3).Reach(); got != 3+action.DefaultLimit+1 {
		t.Errorf("without a limit a search must find %d matches, want the offset, %d and one more", got, action.DefaultLimit)
	}
	for limit, want := range map[uint32]bool{0: true, 1: false, 2: true} {
		if p := PageOf(limit, 0); p.LeavesOut(4_096) || p.LeavesOut(4_097) != want {
			t.Errorf("limit %d: a text of 4,097 bytes is left out: %t, want %t", limit, !want, want)
		}
	}
}

func TestTextQuota(t *testing.T) {
	c := testContext()
	c.Seat(300, 1)
	for _, tc := range []struct {
		used, more, limit uint64
		refused           bool
	}{
		{0, 100, 100, false},
		{0, 101, 100, true},
		{60, 40, 100, false},
		{60, 41, 100, true},
		{100, 0, 100, false},
		{100, 1, 100, true},
		{1 << 40, 1 << 40, 0, false}, // no quota
	} {
		refusal := c.TextQuota(tc.used, tc.more, tc.limit)
		if (refusal != nil) != tc.refused {
			t.Errorf("%+v: %+v", tc, refusal)
		}
	}
	refusal := c.TextQuota(60, 41, 100)
	want := []Detail{{"limit", "100"}, {"have", "40"}, {"need", "41"}, {"until", "512"}}
	if refusal.Reason != "text_quota" || !slices.Equal(refusal.Details, want) {
		t.Errorf("%+v", refusal)
	}
}
