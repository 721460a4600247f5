package action_test

import (
	"encoding/json"
	"fmt"

	"kingdom/wire/action"
)

// The catalogue says what a mind may do, what it costs, and what its parameters
// look like.
func ExampleByName() {
	row, ok := action.ByName("bounty_claim")
	if !ok {
		fmt.Println("no such action")
		return
	}
	fmt.Println(row.Type, "is served by", row.System, "from epoch", row.Epoch[action.ProfileDefault], "on, costs", row.Ticks, "tick")
	for _, p := range row.Params {
		fmt.Printf("%s required: %t\n", p.Name, p.Required)
	}

	payload, err := row.FromJSON([]byte(`{"bounty_id": "00000000000000000000000000000000000000000000000000000000000000b0"}`), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(row.AppendJSON(nil, payload)))
	_, err = row.FromJSON([]byte(`{"bounty": "b0"}`), nil)
	fmt.Println(err)
	// Output:
	// BOUNTY_CLAIM is served by AGORA from epoch 0 on, costs 1 tick
	// bounty_id required: true
	// {"bounty_id":"00000000000000000000000000000000000000000000000000000000000000b0"}
	// read parameters of BOUNTY_CLAIM: field "bounty": unknown field at byte 11, want only bounty_id
}

// Models that answer in a given form get the parameters as JSON Schema.
func ExampleRow_ParamsSchema() {
	get, _ := action.ByName("entry_get")
	schema, err := json.MarshalIndent(get.ParamsSchema(), "", "  ")
	fmt.Println(string(schema), err)
	// Output:
	// {
	//   "type": "object",
	//   "properties": {
	//     "entry_id": {
	//       "type": "string",
	//       "pattern": "^[0-9a-fA-F]{64}$"
	//     },
	//     "version": {
	//       "description": "number of the version; if left out, the newest",
	//       "anyOf": [
	//         {
	//           "type": "integer",
	//           "minimum": 0,
	//           "maximum": 4294967295
	//         },
	//         {
	//           "type": "null"
	//         }
	//       ]
	//     }
	//   },
	//   "title": "entry_get",
	//   "description": "Read an entry.",
	//   "required": [
	//     "entry_id"
	//   ],
	//   "additionalProperties": false
	// } <nil>
}
