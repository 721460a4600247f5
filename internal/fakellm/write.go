package fakellm

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// undecided stands in the params of offers where the mind is to choose or to write.
const undecided = "?"

// write replaces placeholders by what the line says that the agent has seen or wants to know, and what is undecided by one of
// the values that rules, the message with the list of all actions, allows. A mark at the end makes each text different, since
// the world refuses a text that was posted before.
func (o *offer) write(rules string, mark uint64) {
	behind := " (" + strconv.FormatUint(mark%(1<<30), 36) + ")"
	text := o.quotes["you want to know"]
	if text == "" {
		text = o.quotes["you have seen"]
	}
	dec := json.NewDecoder(bytes.NewReader(o.params))
	dec.UseNumber()
	var params map[string]any
	if dec.Decode(&params) != nil {
		return
	}
	title := o.quotes["title"]
	if title == "" {
		title = "Notes" + behind
	}
	replaceTexts(params, text+behind, title)
	for key, v := range params {
		if v == undecided {
			params[key] = decide(allowed(rules, o.name, key), mark, "I compared it with what I know"+behind+".")
		}
	}
	if o.name == "repo_create" && params["files"] == nil {
		params["files"] = map[string]any{"main.star": "print(" + strconv.Quote(text+behind) + ")\n"}
	}
	if b, err := json.Marshal(params); err == nil {
		o.params = b
	}
}

// decide chooses one of the values, the first ones more often, or returns the text if there are none.
func decide(values []string, mark uint64, text string) string {
	n := uint64(len(values))
	if n == 0 {
		return text
	}
	mark = mark*0x9e3779b97f4a7c15 ^ mark>>29 // the offer was chosen by the same bits
	return values[min(mark%n, (mark>>32)%n)]
}

// allowed lists the values of a parameter, as the list of actions shows them: "verdict: ACCURATE|INACCURATE".
func allowed(rules, action, param string) []string {
	for line := range strings.SplitSeq(rules, "\n") {
		after, ok := strings.CutPrefix(line, action)
		if !ok || !strings.HasPrefix(after, ":") && !strings.HasPrefix(after, " (") {
			continue
		}
		_, values, found := strings.Cut(after, param+": ")
		if end := strings.IndexAny(values, ",;} "); found && end >= 0 {
			values = values[:end]
		}
		if strings.Contains(values, "|") {
			return strings.Split(values, "|")
		}
	}
	return nil
}

// isText holds the keys of what is to be written.
var isText = map[string]bool{"text": true, "body": true, "new_body": true}

// replaceTexts replaces texts and titles.
func replaceTexts(v any, text, title string) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			replaceTexts(one, text, title)
		}
	case map[string]any:
		for key, one := range v {
			switch _, words := one.(string); {
			case words && isText[key]:
				v[key] = text
			case words && key == "title":
				v[key] = title
			default:
				replaceTexts(one, text, title)
			}
		}
	}
}
