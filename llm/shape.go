package llm

import (
	"strconv"
	"strings"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// maxShapeDepth is the depth at which nested forms are cut in a prompt: content blocks nest without limit.
const maxShapeDepth = 3

// longForms maps the text of a long form to the first action that has it. Later actions refer to that action instead
// of repeating the form.
type longForms map[string]string

// longForm is the length, in bytes, from which on a form is not repeated.
const longForm = 40

// formWriter writes the forms of the parameters of one action.
type formWriter struct {
	action string
	seen   longForms // nil: every form is written whole
}

// obviousParams are the parameters, by name, whose help is left out of prompts because the name says enough. The value is
// false if the form is left out too.
var obviousParams = map[string]bool{
	"limit": false, "offset": false, "min_accuracy": true, "min_citations": true, "min_completeness": true, "min_quality": true, "min_signals": true,
	"text_match": true, "verified_only": true, "category": true, "memo": true, "vote": true, "subscriber_id": true, "submission_snap": true, "request": true,
	"right": true, "to": true, "evidence": true, "confidence": true, "from_repo": true, "about": true, "amount": true, "base_snap": true,
	"beneficiary": true, "chain_name": true, "change_note": true, "context": true, "difficulty": true, "direction": true, "endpoint": true,
	"environment": true, "head_snap": true, "imports": true, "message": true, "overall": true, "resource": true, "reviewers": true,
	"reward": true, "source": true, "specification": true, "title": true, "to_repo": true, "to_tag": true, "urgency": true,
	"verdict": true, "version": true,
}

// obviousActionParams are such parameters of one action: elsewhere the same name needs its help.
var obviousActionParams = map[string]bool{
	"balance_query.agent_id": true, "chain_create.from_snap": true, "chain_create.name": true, "citation_add.target": true,
	"citation_query.target": true, "delta_compute.base": true, "delta_compute.target": true, "entry_verify.references": true,
	"msg_post.references": true, "proposal_submit.kind": true, "signal_send.target": true, "snap_create.objects": true,
	"snap_create.root": true, "tag_create.target": true,
}

// omittedParams are optional parameters that prompts leave out, because hardly any agent needs them. The schema of answers
// and docs/ACTIONS.md have them, and a mind may send them.
var omittedParams = map[string]bool{
	"channel_create.auto_close": true, "channel_create.linked_repo": true,
	"bounty_create.reviewers": true, "entry_get.version": true, "entry_query.min_accuracy": true, "entry_query.verified_only": true, "entry_verify.references": true,
	"registry_query.min_quality": true, "review_request.reviewers": true, "review_submit.comments": true, "sandbox_create.memory_quota": true,
	"sandbox_create.input": true, "subscribe.kinds": true, "transfer.memo": true,
	"entry_query.min_citations": true, "entry_query.min_completeness": true, "entry_query.related_to": true, "entry_query.updated_after": true,
	"msg_query.min_signals": true, "msg_query.time_range": true,
	"repo_create.objects": true, "repo_create.root": true, "snap_create.objects": true, "snap_create.proof": true, "snap_create.root": true,
	"sandbox_create.environment": true, "service_create.auto_fund": true, "subscribe.since": true,
	"web_request.body": true, "web_request.filter": true, "web_request.headers": true,
}

// formOverrides are forms that are written instead of the one of the shape: for items whose help lists the kinds with their
// parameters, and for an enum of which agents may send two values only.
var formOverrides = map[string]string{
	"bounty_create.requirements": "[{kind, params}]",
	"escrow_create.conditions":   "[{kind, params}]",
	"transfer.kind":              "DIRECT|RESOURCE_BUY",
}

// appendParam writes one parameter: name, whether it may be left out, form, help.
func appendParam(dst []byte, p *action.Param, w formWriter) []byte {
	dst = append(dst, p.Name...)
	if !p.Required {
		dst = append(dst, '?')
	}
	needs, known := obviousParams[p.Name]
	if own, ok := formOverrides[w.action+"."+p.Name]; ok {
		dst = append(append(dst, ": "...), own...)
	} else if (needs || !known) && !needsNoForm(p.Name, p.Shape) {
		dst = w.appendShape(append(dst, ": "...), p.Shape, 0)
	}
	if p.Help != "" && !known && !obviousActionParams[w.action+"."+p.Name] {
		dst = append(append(append(dst, " ("...), p.Help...), ')')
	}
	return dst
}

// needsNoForm reports whether a prompt shows no form of a value: it is a text, or an id whose name says so. The head of
// the section explains this.
func needsNoForm(name string, s *codec.Shape) bool {
	switch s.Kind {
	case codec.ShapeText, codec.ShapeBytes:
		return s.Max == 0
	case codec.ShapeHash:
		return s.Len == len(wire.Hash{}) && strings.HasSuffix(name, "_id")
	case codec.ShapeAgent:
		return strings.HasSuffix(name, "_id")
	default:
		return false
	}
}

// orReference replaces the form that begins at start by a reference to an earlier action, if it is long and that action has
// shown it.
func (w formWriter) orReference(dst []byte, start int) []byte {
	if w.seen == nil || len(dst)-start < longForm {
		return dst
	}
	if by, ok := w.seen[string(dst[start:])]; ok {
		return append(append(dst[:start], "as in "...), by...)
	}
	w.seen[string(dst[start:])] = w.action
	return dst
}

// appendShape writes the JSON form of a value in few words.
func (w formWriter) appendShape(dst []byte, s *codec.Shape, depth int) []byte {
	switch s.Kind {
	case codec.ShapeBool:
		return append(dst, "bool"...)
	case codec.ShapeUint:
		return append(dst, "int"...)
	case codec.ShapeInt:
		return append(dst, "signed int"...)
	case codec.ShapeFloat:
		if s.Unit {
			return append(dst, "0.0-1.0"...)
		}
		return append(dst, "number"...)
	case codec.ShapeText, codec.ShapeBytes:
		return appendMax(append(dst, "text"...), s.Max, " bytes")
	case codec.ShapeRaw:
		return append(dst, "{...}"...)
	case codec.ShapeTextMap:
		return append(appendMax(append(dst, "{key: text"...), s.Max, " bytes each"), '}')
	case codec.ShapeHash:
		if s.Len == len(wire.Hash{}) {
			return append(dst, "id"...) // as a handle
		}
		return append(strconv.AppendInt(dst, int64(2*s.Len), 10), " hex digits"...)
	case codec.ShapeAgent:
		return append(dst, "agent"...)
	case codec.ShapeEnum:
		start := len(dst)
		for i, n := range s.Names {
			if i > 0 {
				dst = append(dst, '|')
			}
			dst = append(dst, n...)
		}
		return w.orReference(dst, start)
	case codec.ShapeList:
		start := len(dst)
		dst = w.appendShape(append(dst, '['), s.Elem, depth+1)
		return w.orReference(appendMax(append(dst, ']'), s.Max, ""), start)
	case codec.ShapeBlocks:
		start := len(dst)
		return w.orReference(append(dst, `text or list of {"PARAGRAPH":{"text"}} {"CODE":{"language","source"}} {"EXAMPLE":{"input","expected_output","forge_verified"}}`...), start)
	case codec.ShapeObject, codec.ShapeBinMap:
		return append(dst, "object or text"...)
	default:
		return w.appendFields(dst, s, depth+1)
	}
}

// appendFields writes the fields of an object, or the variants of a union.
func (w formWriter) appendFields(dst []byte, s *codec.Shape, depth int) []byte {
	if depth > maxShapeDepth {
		return append(dst, "object"...)
	}
	dst = append(dst, '{')
	shown := 0
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Runtime {
			continue
		}
		if shown++; shown > 1 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, f.Name...)
		if s.Kind == codec.ShapeStruct && !f.Required {
			dst = append(dst, '?')
		}
		if f.Shape != nil && !needsNoForm(f.Name, f.Shape) {
			dst = w.appendShape(append(dst, ": "...), f.Shape, depth)
		}
	}
	return append(dst, '}')
}

// appendMax writes the bound of a text or a list, if it has one.
func appendMax(dst []byte, n int, unit string) []byte {
	if n == 0 {
		return dst
	}
	dst = strconv.AppendInt(append(dst, " (at most "...), int64(n), 10)
	return append(append(dst, unit...), ')')
}
