package action

import (
	"bytes"
	"fmt"
	"strconv"
	"testing"

	"kingdom/wire"
	"kingdom/wire/codec"
)

func fill(n int) []byte { return bytes.Repeat([]byte("x"), max(0, n)) }

func ptr[T any](v T) *T { return &v }

// wide returns n tags of one byte each.
func wide(n int) [][]byte {
	out := make([][]byte, n)
	for i := range out {
		out[i] = []byte("t")
	}
	return out
}

// examples has for every bound of the catalogue a request whose field holds n bytes or items,
// or has the value n, and that keeps all other bounds.
var examples = map[wire.MsgType]map[string]func(n int) any{
	wire.TypeRepoCreate: {
		"name":    func(n int) any { return &wire.RepoCreate{Name: fill(n)} },
		"message": func(n int) any { return &wire.RepoCreate{Name: fill(1), Message: fill(n)} },
		"objects": func(n int) any { return &wire.RepoCreate{Name: fill(1), Objects: ptr(make([]wire.InlineObject, n))} },
		"access_policy": func(n int) any {
			few, many := ptr(make([]wire.AgentID, n/2)), ptr(make([]wire.AgentID, n))
			p := wire.AccessPolicy{Read: wire.ReadAccess{AgentsOnly: many}, Write: wire.WriteAccess{Approved: few}}
			if n%2 == 1 {
				p = wire.AccessPolicy{Read: wire.ReadAccess{AgentsOnly: few}, Write: wire.WriteAccess{Approved: many}}
			}
			return &wire.RepoCreate{Name: fill(1), AccessPolicy: p}
		},
	},
	wire.TypeSnapCreate: {
		"message": func(n int) any { return &wire.SnapCreate{Message: fill(n)} },
		"objects": func(n int) any { return &wire.SnapCreate{Objects: ptr(make([]wire.InlineObject, n))} },
	},
	wire.TypeChainCreate:  {"name": func(n int) any { return &wire.ChainCreate{Name: fill(n)} }},
	wire.TypeChainAdvance: {"chain_name": func(n int) any { return &wire.ChainAdvance{ChainName: fill(n)} }},
	wire.TypeTagCreate: {
		"name":             func(n int) any { return &wire.TagCreate{Name: fill(n)} },
		"message":          func(n int) any { return &wire.TagCreate{Name: fill(1), Message: fill(n)} },
		"publish.category": func(n int) any { return &wire.TagCreate{Name: fill(1), Publish: &wire.Publication{Category: wide(n)}} },
		"publish.category.label": func(n int) any {
			return &wire.TagCreate{Name: fill(1), Publish: &wire.Publication{Category: [][]byte{fill(n)}}}
		},
		"publish.description": func(n int) any {
			return &wire.TagCreate{Name: fill(1), Publish: &wire.Publication{Category: wide(1), Description: fill(n)}}
		},
	},
	wire.TypeRegistryQuery: {
		"category":   func(n int) any { return &wire.RegistryQuery{Category: ptr(fill(n))} },
		"text_match": func(n int) any { return &wire.RegistryQuery{TextMatch: ptr(fill(n))} },
		"limit":      func(n int) any { return &wire.RegistryQuery{Limit: uint32(n)} },
		"offset":     func(n int) any { return &wire.RegistryQuery{Offset: uint32(n)} },
	},
	wire.TypeChannelCreate: {
		"name": func(n int) any { return &wire.ChannelCreate{Name: fill(n)} },
		"access": func(n int) any {
			return &wire.ChannelCreate{Name: fill(1), Access: wire.Access{InviteOnly: ptr(make([]wire.AgentID, n))}}
		},
	},
	wire.TypeMsgPost: {
		"content": func(n int) any {
			over := len(wire.TextContent(string(fill(60_000)))) - 60_000
			return &wire.MsgPost{Content: wire.TextContent(string(fill(n - over)))}
		},
		"references": func(n int) any { return &wire.MsgPost{References: make([]wire.Hash, n)} },
	},
	wire.TypeMsgQuery: {
		"channels":   func(n int) any { return &wire.MsgQuery{Channels: ptr(make([]wire.Hash, n))} },
		"kinds":      func(n int) any { return &wire.MsgQuery{Kinds: ptr(make([]wire.MessageKind, n))} },
		"authors":    func(n int) any { return &wire.MsgQuery{Authors: ptr(make([]wire.AgentID, n))} },
		"references": func(n int) any { return &wire.MsgQuery{References: ptr(make([]wire.Hash, n))} },
		"text_match": func(n int) any { return &wire.MsgQuery{TextMatch: ptr(fill(n))} },
		"limit":      func(n int) any { return &wire.MsgQuery{Limit: uint32(n)} },
		"offset":     func(n int) any { return &wire.MsgQuery{Offset: uint32(n)} },
	},
	wire.TypeBountyCreate: {
		"title":         func(n int) any { return &wire.BountyCreate{Title: fill(n)} },
		"specification": func(n int) any { return &wire.BountyCreate{Title: fill(1), Specification: fill(n)} },
		"requirements": func(n int) any {
			return &wire.BountyCreate{Title: fill(1), Requirements: make([]wire.BountyRequirement, n)}
		},
		"requirements.params": func(n int) any {
			return &wire.BountyCreate{Title: fill(1), Requirements: []wire.BountyRequirement{{}, {Params: fill(n)}}}
		},
		"requirements.path": func(n int) any {
			path := string(fill(n))
			return &wire.BountyCreate{Title: fill(1), Requirements: []wire.BountyRequirement{{
				Kind: wire.RequirementKindMustCompile, Params: wire.MustCompileCodec.Append(nil, &wire.MustCompile{Path: &path}),
			}}}
		},
		"reviewers": func(n int) any { return &wire.BountyCreate{Title: fill(1), Reviewers: make([]wire.AgentID, n)} },
	},
	wire.TypeBountyReview: {
		"comments": func(n int) any { return &wire.BountyReview{Comments: fill(n)} },
	},
	wire.TypeReviewRequest: {
		"reviewers":   func(n int) any { return &wire.ReviewRequest{Reviewers: make([]wire.AgentID, n)} },
		"description": func(n int) any { return &wire.ReviewRequest{Description: fill(n)} },
	},
	wire.TypeReviewSubmit: {
		"comments":          func(n int) any { return &wire.ReviewSubmit{Comments: make([]wire.ReviewComment, n)} },
		"comments.path":     func(n int) any { return &wire.ReviewSubmit{Comments: []wire.ReviewComment{{}, {Path: wide(n)}}} },
		"comments.path.key": func(n int) any { return &wire.ReviewSubmit{Comments: []wire.ReviewComment{{Path: [][]byte{fill(n)}}}} },
		"comments.content":  func(n int) any { return &wire.ReviewSubmit{Comments: []wire.ReviewComment{{Content: fill(n)}}} },
		"overall":           func(n int) any { return &wire.ReviewSubmit{Overall: fill(n)} },
	},
	wire.TypeEntryPublish: {
		"entry.title": func(n int) any { return &wire.EntryPublish{Entry: wire.EntryDraft{Title: fill(n)}} },
		"entry.body": func(n int) any {
			return &wire.EntryPublish{Entry: wire.EntryDraft{Title: fill(1), Body: bodyOf(n)}}
		},
		"entry.tags": func(n int) any { return &wire.EntryPublish{Entry: wire.EntryDraft{Title: fill(1), Tags: wide(n)}} },
		"entry.tags.tag": func(n int) any {
			return &wire.EntryPublish{Entry: wire.EntryDraft{Title: fill(1), Tags: [][]byte{fill(5), fill(n)}}}
		},
		"entry.references": func(n int) any {
			return &wire.EntryPublish{Entry: wire.EntryDraft{Title: fill(1), References: make([]wire.Hash, n)}}
		},
	},
	wire.TypeEntryUpdate: {
		"new_body":    func(n int) any { return &wire.EntryUpdate{NewBody: bodyOf(n)} },
		"change_note": func(n int) any { return &wire.EntryUpdate{ChangeNote: fill(n)} },
	},
	wire.TypeEntryQuery: {
		"kinds":      func(n int) any { return &wire.EntryQuery{Kinds: ptr(make([]wire.EntryKind, n))} },
		"tags":       func(n int) any { return &wire.EntryQuery{Tags: ptr(wide(n))} },
		"tags.tag":   func(n int) any { return &wire.EntryQuery{Tags: &[][]byte{fill(5), fill(n)}} },
		"authors":    func(n int) any { return &wire.EntryQuery{Authors: ptr(make([]wire.AgentID, n))} },
		"about":      func(n int) any { return &wire.EntryQuery{About: ptr(fill(n))} },
		"related_to": func(n int) any { return &wire.EntryQuery{RelatedTo: ptr(make([]wire.Hash, n))} },
		"limit":      func(n int) any { return &wire.EntryQuery{Limit: uint32(n)} },
		"offset":     func(n int) any { return &wire.EntryQuery{Offset: uint32(n)} },
	},
	wire.TypeEntryVerify: {
		"evidence":   func(n int) any { return &wire.EntryVerify{Evidence: fill(n)} },
		"references": func(n int) any { return &wire.EntryVerify{References: make([]wire.Hash, n)} },
	},
	wire.TypeCitationAdd: {
		"context": func(n int) any { return &wire.CitationAdd{Context: fill(n)} },
	},
	wire.TypeCitationQuery: {
		"limit":  func(n int) any { return &wire.CitationQuery{Limit: uint32(n)} },
		"offset": func(n int) any { return &wire.CitationQuery{Offset: uint32(n)} },
	},
	wire.TypeSandboxCreate: {
		"input": func(n int) any { return &wire.SandboxCreate{Input: fill(n)} },
		"environment": func(n int) any {
			q := &wire.SandboxCreate{}
			for i := range n {
				q.Environment.Set(strconv.Itoa(i), nil)
			}
			return q
		},
		"environment.key":   func(n int) any { return &wire.SandboxCreate{Environment: codec.BinMap{{Key: string(fill(n))}}} },
		"environment.bytes": func(n int) any { return environmentOf(n) },
	},
	wire.TypeServiceCreate: {
		"name":      func(n int) any { return &wire.ServiceCreate{Name: fill(n)} },
		"endpoints": func(n int) any { return &wire.ServiceCreate{Name: fill(1), Endpoints: endpoints(n)} },
		"endpoints.name": func(n int) any {
			return &wire.ServiceCreate{Name: fill(1), Endpoints: []wire.Endpoint{{Name: fill(5)}, {Name: fill(n)}}}
		},
		"endpoints.schema": func(n int) any {
			return &wire.ServiceCreate{Name: fill(1), Endpoints: []wire.Endpoint{{Name: fill(5), Schema: fill(n)}}}
		},
	},
	wire.TypeServiceCall: {
		"endpoint": func(n int) any { return &wire.ServiceCall{Endpoint: fill(n)} },
		"data":     func(n int) any { return &wire.ServiceCall{Endpoint: fill(1), Data: fill(n)} },
	},
	wire.TypeLinkResolve: {
		"imports":         func(n int) any { return &wire.LinkResolve{Imports: make([]wire.LinkImport, n)} },
		"imports.symbols": func(n int) any { return &wire.LinkResolve{Imports: []wire.LinkImport{{Symbols: wide(n)}}} },
		"imports.symbols.symbol": func(n int) any {
			return &wire.LinkResolve{Imports: []wire.LinkImport{{Symbols: [][]byte{fill(5), fill(n)}}}}
		},
	},
	wire.TypeTransfer: {
		"memo": func(n int) any { return &wire.Transfer{Memo: fill(n)} },
	},
	wire.TypeEscrowCreate: {
		"conditions":        func(n int) any { return &wire.EscrowCreate{Conditions: make([]wire.EscrowCondition, n)} },
		"conditions.params": func(n int) any { return &wire.EscrowCreate{Conditions: []wire.EscrowCondition{{Params: fill(n)}}} },
	},
	wire.TypeEscrowRelease: {
		"proof": func(n int) any { return &wire.EscrowRelease{Proof: fill(n)} },
	},
	wire.TypeWebRequest: {
		"url": func(n int) any { return &wire.WebRequest{URL: fill(n)} },
		"headers": func(n int) any {
			q := &wire.WebRequest{URL: fill(1)}
			for i := range n {
				q.Headers.Set(fmt.Sprint(i), nil)
			}
			return q
		},
		"headers.key": func(n int) any {
			return &wire.WebRequest{URL: fill(1), Headers: codec.BinMap{{Key: string(fill(n))}}}
		},
		"headers.value": func(n int) any {
			return &wire.WebRequest{URL: fill(1), Headers: codec.BinMap{{Key: "Accept", Value: fill(n)}}}
		},
		"body":            func(n int) any { return &wire.WebRequest{URL: fill(1), Body: ptr(fill(n))} },
		"filter.max_size": func(n int) any { return &wire.WebRequest{URL: fill(1), Filter: wire.ContentFilter{MaxSize: uint32(n)}} },
		"purpose":         func(n int) any { return &wire.WebRequest{URL: fill(1), Purpose: fill(n)} },
	},
}

// environmentOf is a sandbox with an environment of n bytes.
func environmentOf(n int) *wire.SandboxCreate {
	q := &wire.SandboxCreate{}
	if n > 0 {
		q.Environment = codec.BinMap{{Key: "k", Value: fill(n - 1)}}
	}
	return q
}

// endpoints are n functions of a service.
func endpoints(n int) []wire.Endpoint {
	out := make([]wire.Endpoint, n)
	for i := range out {
		out[i].Name = []byte("f")
	}
	return out
}

// bodyOf is an entry's body of n bytes.
func bodyOf(n int) []byte {
	over := len(wire.TextBody(string(fill(100_000)))) - 100_000
	return wire.TextBody(string(fill(n - over)))
}

// Every bound is kept at its value and exceeded one beyond, and every bound of the catalogue has an example here.
func TestBounds_AtAndBeyond(t *testing.T) {
	for i := range rows {
		for _, b := range Bounds(rows[i].Type) {
			t.Run(rows[i].Name+" "+b.Field, func(t *testing.T) {
				request := examples[rows[i].Type][b.Field]
				if request == nil {
					t.Fatal("no example of this bound")
				}
				for _, n := range []int{b.Least, b.Most} {
					if x, have := ExceededBound(request(n)); x != nil {
						t.Errorf("%d breaks the bound of %s: %d, at most %d", n, x.Field, have, x.Most)
					}
				}
				beyond := []int{b.Most + 1}
				if b.Least > 0 {
					beyond = append(beyond, b.Least-1)
				}
				for _, n := range beyond {
					if x, have := ExceededBound(request(n)); x == nil || x.Field != b.Field || have != n {
						t.Errorf("%d: broken is %+v with %d, want %s", n, x, have, b.Field)
					}
				}
			})
		}
	}
}

// TestBounds_Numbers pins the numbers of docs/WORLD.md.
func TestBounds_Numbers(t *testing.T) {
	most := map[string]int{
		"requirements.path": 64,
		"name":              64, "chain_name": 64, "category": 96, "tags.tag": 96, "entry.tags.tag": 96, "entry.tags": 8, "title": 256, "entry.title": 256, "comments.path.key": 256, "memo": 256,
		"change_note": 1024, "context": 1024, "proof": 1024, "requirements.params": 1024, "conditions.params": 1024, "text_match": 1024, "about": 1024,
		"description": 4096, "overall": 4096, "evidence": 4096, "comments.content": 4096, "specification": 16384, "content": 65536,
		"entry.body": 131072, "new_body": 131072, "reviewers": 16, "requirements": 16, "conditions": 16, "comments.path": 32,
		"channels": 64, "kinds": 64, "authors": 64, "tags": 64, "related_to": 64, "references": 64, "entry.references": 64, "access": 256,
		"input": 65536, "environment": 32, "environment.key": 64, "environment.bytes": 16384, "endpoints": 16, "endpoints.name": 64, "endpoints.schema": 1024,
		"endpoint": 64, "data": 65536, "imports": 16, "imports.symbols": 64, "imports.symbols.symbol": 64,
		"limit": 100, "offset": 4096,
		"url": 2048, "headers": 32, "headers.key": 64, "headers.value": 1024, "body": 65536, "filter.max_size": 65536, "purpose": 256,
		"access_policy": 256, "objects": 1024, "message": 1024, "publish.category": 8, "publish.category.label": 96, "publish.description": 1024,
	}
	for i := range rows {
		for _, b := range Bounds(rows[i].Type) {
			want, ok := most[b.Field]
			if b.Field == "comments" { // a text of a verdict on a bounty, a list in a code review
				want, ok = map[Unit]int{Bytes: 4096, Items: 64}[b.Unit], true
			}
			if !ok || b.Most != want {
				t.Errorf("%s %s: at most %d, want %d", rows[i].Name, b.Field, b.Most, want)
			}
		}
	}
}

// A value that is not in canonical form is measured by its canonical form, in which it is stored.
func TestBounds_CountCanonicalBytes(t *testing.T) {
	text := fill(MaxContent - len(wire.TextContent(string(fill(60_000)))) + 60_000)
	long := append([]byte{0xDF, 0, 0, 0, 1, 0xDB, 0, 0, 0, 4}, "text"...) // every length in its longest form
	long = append(long, 0xDB, 0, 0, byte(len(text)>>8), byte(len(text)))
	long = append(long, text...)
	if len(long) <= MaxContent {
		t.Fatalf("the example has %d bytes, which are within the bound", len(long))
	}
	if b, have := ExceededBound(&wire.MsgPost{Content: long}); b != nil {
		t.Errorf("%d bytes count as %d", len(long), have)
	}
	if b, _ := ExceededBound(&wire.MsgPost{Content: append(long, 0)}); b == nil {
		t.Error("what cannot be read is within the bound")
	}
}

func TestExceededBound_NoneForUnboundedRequests(t *testing.T) {
	if b, _ := ExceededBound(&wire.BountyClaim{}); b != nil {
		t.Errorf("a claim is beyond %+v", b)
	}
}
