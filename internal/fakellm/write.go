package fakellm

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// write puts what the line says the agent has seen or wants to know in place of placeholders. The mark behind each
// text makes it another one: the world refuses what was said before.
func (o *offer) write(mark uint64) {
	behind := " (" + strconv.FormatUint(mark%(1<<30), 36) + ")"
	text := o.said["you want to know"]
	if text == "" {
		text = o.said["you have seen"]
	}
	dec := json.NewDecoder(bytes.NewReader(o.params))
	dec.UseNumber()
	var params map[string]any
	if dec.Decode(&params) != nil {
		return
	}
	put(params, text+behind, o.said["title"])
	if o.name == "repo_create" && params["files"] == nil {
		params["files"] = map[string]any{"main.star": "print(" + strconv.Quote(text+behind) + ")\n"}
	}
	if b, err := json.Marshal(params); err == nil {
		o.params = b
	}
}

// put replaces texts, and titles if there is another one.
func put(v any, text, title string) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			put(one, text, title)
		}
	case map[string]any:
		for key, one := range v {
			switch _, words := one.(string); {
			case words && key == "text":
				v[key] = text
			case words && key == "title" && title != "":
				v[key] = title
			default:
				put(one, text, title)
			}
		}
	}
}
