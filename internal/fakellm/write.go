package fakellm

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// write replaces placeholders by what the line says that the agent has seen or wants to know. A mark at the end makes
// each text different, since the world refuses a text that was posted before.
func (o *offer) write(mark uint64) {
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
	replaceTexts(params, text+behind, o.quotes["title"])
	if o.name == "repo_create" && params["files"] == nil {
		params["files"] = map[string]any{"main.star": "print(" + strconv.Quote(text+behind) + ")\n"}
	}
	if b, err := json.Marshal(params); err == nil {
		o.params = b
	}
}

// isText holds the keys of what is to be written.
var isText = map[string]bool{"text": true, "body": true, "new_body": true}

// replaceTexts replaces texts, and titles if there is another one.
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
			case words && key == "title" && title != "":
				v[key] = title
			default:
				replaceTexts(one, text, title)
			}
		}
	}
}
