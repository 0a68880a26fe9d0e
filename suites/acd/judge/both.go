package judge

import (
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// bothSentences are the sentences of the judgements in this file.
var bothSentences = []verdict.Sentence[documents]{
	verdict.Say(`both protocols describe each capability identically`, documents.SameInBoth),
}

// SameInBoth compares the descriptors with the manifests of CAP. If they differ, both are read again: a version may
// have been released between the two lists.
func (j documents) SameInBoth() verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	for _, i := range j.Descriptors() {
		listed := false
		var of verdict.Breach
		for _, list := range j.Of(history.OpCapabilityList) {
			all := manifestsOf(list, i.ID)
			if len(all) == 0 {
				continue
			}
			listed = true
			if of = compared(all, i.Members); of.Message == "" {
				break
			}
			of.Entries = []record.Tick{list.Entry, i.Entry}
		}
		if listed {
			r.Judged++
		}
		if of.Message != "" {
			j.confirm(r, history.BothAgain, map[string]string{history.AboutID: i.ID}, of,
				func(answers history.Confirmation) bool {
					all := manifestsOf(answers[1], i.ID)
					return len(all) > 0 &&
						showsSteadily(answers, i.ID, func(now history.Object) bool { return history.Same(i.Members, now) }) &&
						compared(all, answers[0].EntryOf(i.ID).Members).Message != ""
				})
		}
	}
	return r.OpenUnlessJudged(verdict.NotObserved("a capability that is listed both in CAP and in ACD"))
}

// manifestsOf returns the manifests of a capability in a list of CAP.
func manifestsOf(list *history.Call, id string) []history.Object {
	var all []history.Object
	for _, i := range list.Items {
		if i.Members != nil && i.ID == id {
			all = append(all, i.Members)
		}
	}
	return all
}

// compared compares a descriptor with the manifest of its version. A breach without a message means that they agree.
func compared(manifests []history.Object, d history.Object) verdict.Breach {
	id := history.Text(d, "capability_id")
	at := slices.IndexFunc(manifests, func(m history.Object) bool { return jsonvalue.Equal(m["version"], d["version"]) })
	if at < 0 {
		return verdict.Breach{
			Message: "a capability has another version in CAP than in ACD",
			Want:    "the version of the descriptor among those of CAP",
			Got:     fmt.Sprintf("%s: %s in ACD", id, jsonvalue.Print(d["version"])),
		}
	}
	if what := contradiction(manifests[at], d); what != "" {
		return verdict.Breach{
			Message: "a capability is described differently in CAP and ACD", Want: "the same schemas and permissions in both",
			Got: id + ": " + what,
		}
	}
	return verdict.Breach{}
}

// contradiction returns the member in which a manifest and a descriptor differ. A member that one of them omits
// contradicts nothing.
func contradiction(manifest, descriptor history.Object) string {
	demanded := jsonvalue.Texts(history.Member(descriptor, "inputs.required"))
	inputs := history.Folded(history.Member(descriptor, "inputs.schema"), demanded)
	for _, pair := range []struct {
		name     string
		cap, acd any
	}{
		{name: "input_schema", cap: manifest["input_schema"], acd: inputs},
		{name: "output_schema", cap: manifest["output_schema"], acd: history.Member(descriptor, "outputs.schema")},
		{name: "permissions", cap: manifest["required_permissions"], acd: history.Member(descriptor, "permissions.required")},
	} {
		if _, reference := pair.acd.(string); pair.cap == nil || pair.acd == nil || reference {
			continue
		}
		if !jsonvalue.Equal(ordered(pair.cap), ordered(pair.acd)) {
			return fmt.Sprintf("%s is %s in CAP and %s in ACD", pair.name, jsonvalue.Print(pair.cap), jsonvalue.Print(pair.acd))
		}
	}
	return ""
}

// annotations are keywords that do not affect what a schema accepts.
var annotations = []string{"$schema", "$id", "$comment", "title", "description", "examples"}

// ordered sorts the lists of strings that are sets, permissions and required, and omits annotations.
func ordered(v any) any {
	switch v := v.(type) {
	case []any:
		if all := jsonvalue.Texts(v); len(all) == len(v) {
			return sortedTexts(all)
		}
		return v
	case history.Object:
		made := history.Object{}
		for name, value := range v {
			_, isSchema := value.(history.Object) // of a property with such a name
			switch {
			case slices.Contains(annotations, name) && !isSchema:
			case isSchema || name == "required":
				made[name] = ordered(value)
			default:
				made[name] = value
			}
		}
		return made
	default:
		return v
	}
}

// sortedTexts returns strings as a sorted JSON list.
func sortedTexts(all []string) []any {
	var list []any
	for _, s := range slices.Sorted(slices.Values(all)) {
		list = append(list, s)
	}
	return list
}
