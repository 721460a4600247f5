package llm

import (
	"reflect"
	"strings"
	"testing"
)

// Every fact about an agent and its slot changes the prompt of a model, including the waits and the practice that the
// scripted mind acts by. Facts that only a scenario's templates can show are listed here.
func TestFacts_EachChangesThePrompt(t *testing.T) {
	forTemplates := map[string]bool{
		".Me.Risk": true, ".Me.Collab": true, ".Me.Breadth": true, ".Me.Speed": true, // the dispositions hold them
		".Memory.Goals[].Layer": true, ".State.Claims[].Deadline": true, ".State.Bounties[].Deadline": true, // what is left says when
		".State.Published":        true,                                    // a list says which
		".State.Claims[].Created": true, ".State.Bounties[].Created": true, // the creator wrote the title
		".History.Before[].Shown": true, ".History.Failures[].Shown": true, // only the last act can show
	}
	write := func(f *Facts) string {
		p := &Prompt{}
		var out []byte
		for k := SectionIdentity; k <= SectionAffordances; k++ {
			out = p.section(out, k, f, unlimited)
		}
		return string(out)
	}
	told := map[string]bool{}
	for _, other := range []bool{false, true} { // some are told where another is not
		f := exampleFacts()
		if f.History.Last.Times, f.History.Before[0].Times, f.History.Failures[0].Times = 2, 2, 2; other {
			f.State.NoMoney, f.State.Claims[0].Mine, f.State.Bounties[0].Mine = false, false, false
			f.Memory.Beliefs[0].Pays = 0
			f.Offers[0].Offers[0].Params, f.Offers[0].Offers[0].Text = "", Quote{}
		}
		text := write(f)
		eachFact(reflect.ValueOf(f).Elem(), "", func(path string, v reflect.Value) {
			old := reflect.New(v.Type()).Elem()
			old.Set(v)
			v.SetZero()
			told[path] = told[path] || write(f) != text
			v.Set(old)
		})
	}
	for path, told := range told { //house:sorted each stands alone
		hidden := forTemplates[path]
		for list := range forTemplates { //house:sorted one of them is enough
			hidden = hidden || strings.HasPrefix(path, list+"[].")
		}
		if told == hidden {
			t.Errorf("%s: told %v", path, told)
		}
	}
	for _, path := range []string{".Memory.Goals[].Wait", ".Memory.Practice[].Share", ".State.Bounties[].Wait", ".State.Reviews[].Wait"} {
		if _, known := told[path]; !known {
			t.Errorf("%s was not looked at", path)
		}
	}
}

// eachFact calls do for every value that facts hold, the one item of each list included.
func eachFact(v reflect.Value, path string, do func(path string, v reflect.Value)) {
	switch t := v.Type(); {
	case t == reflect.TypeFor[Ref](), t == reflect.TypeFor[Quote]():
		do(path, v)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if name := t.Field(i).Name; path != "" || name != "Rules" && name != "Actions" { // those are the system message's
				eachFact(v.Field(i), path+"."+name, do)
			}
		}
	case v.Kind() == reflect.Slice:
		do(path, v)
		eachFact(v.Index(0), path+"[]", do)
	case v.Kind() == reflect.Pointer:
		do(path, v)
		eachFact(v.Elem(), path, do)
	default:
		do(path, v)
	}
}
