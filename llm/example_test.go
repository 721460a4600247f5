package llm_test

import (
	"fmt"

	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/action"
)

func ExampleParse() {
	get, _ := action.ByName("entry_get")
	text := []byte("Let me read the specification first.\n```json\n" + `{
		"action": "entry_get",
		"params": {"entry_id": "2581660d31bbe31b165bdda939e15b422da7d8731fd97d336dac487184c20588"},
		"memory_update": {"lesson": "read before you write"}
	}` + "\n```")

	answer, err := llm.Parse(text, []*action.Row{get}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	request := answer.Payload.(*wire.EntryGet)
	fmt.Println(answer.Action.Name, request.EntryID.String()[:8], answer.Memory.Lesson)

	_, err = llm.Parse([]byte(`{"action":"entry_burn"}`), []*action.Row{get}, nil)
	fmt.Println(err)
	// Output:
	// entry_get 2581660d read before you write
	// parse answer at byte 0, action: unknown action "entry_burn"
}
