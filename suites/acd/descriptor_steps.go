package acdsuite

import (
	"context"
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites"
)

var descriptorSentences = []sentence{
	say(`the registry shows its entries`, func(w *world) any { return w.needEntries }),
	say(`both protocols say the same of each capability`, func(w *world) any { return w.sameInBoth }),
}

// needEntries is the positive control of the registry.
func (w *world) needEntries() error {
	w.sc.Cite(w.list.answer, w.list.err)
	if err := w.list.missing(); err != nil {
		return err
	}
	if len(listOf(w.list.value)) == 0 {
		return suites.Undecided("the registry shows no entry: %s", w.list.received())
	}
	if len(suites.Texts(listOf(w.list.value))) == len(listOf(w.list.value)) {
		return suites.Undecided("the registry lists ids alone, and no descriptors")
	}
	return nil
}

func (w *world) shellEntries() ([]*capability, error) {
	var all []*capability
	for _, c := range w.entries {
		if c.substrate() == substrateShell {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return nil, &suites.Inconclusive{Reason: "no registered capability has the substrate shell", Supply: "register one, such as conformance.shell"}
	}
	return all, nil
}

// sameInBoth compares the descriptors with the manifests of CAP, which are read again where
// they differ: a version may have been released between the two lists.
func (w *world) sameInBoth(ctx context.Context) error {
	w.sc.Cite(w.capList.answer, w.capList.err)
	versions, compared := byID(w.capList), 0
	for _, c := range w.entries {
		if len(versions[c.id]) == 0 {
			continue
		}
		compared++
		err := alike(versions[c.id], c)
		if err == nil {
			continue
		}
		kept := func() object { members, _ := w.get(ctx, c.id); return members }
		if w.steadily(ctx, kept, func(members object) bool {
			manifests := byID(w.call(ctx, opCapabilityList, object{}))[c.id]
			return members != nil && len(manifests) > 0 && alike(manifests, &capability{c.id, members}) != nil
		}) {
			return err
		}
	}
	if compared == 0 {
		return suites.NotObserved("a capability that is listed both in CAP and in ACD")
	}
	return nil
}

// byID gives the manifests of CAP.
func byID(list answered) map[string][]object {
	versions := map[string][]object{}
	for _, item := range listOf(list.value) {
		if members, is := item.(object); is {
			id := text(members, "capability_id")
			versions[id] = append(versions[id], members)
		}
	}
	return versions
}

// alike compares a descriptor with the manifest of its version.
func alike(manifests []object, c *capability) error {
	at := slices.IndexFunc(manifests, func(m object) bool { return m["version"] == c.members["version"] })
	if at < 0 {
		return broken("a capability has another version in CAP than in ACD", "the version of the descriptor among those of CAP", fmt.Sprintf("%s: %s in ACD", c.id, suites.Print(c.members["version"])))
	}
	if what := contradiction(manifests[at], c.members); what != "" {
		return broken("a capability contradicts itself in CAP and ACD", "the same schemas and permissions in both", c.id+": "+what)
	}
	return nil
}

// contradiction names the member in which a manifest and a descriptor differ. What
// one of them leaves out contradicts nothing.
func contradiction(manifest, descriptor object) string {
	demanded := suites.Texts(member(descriptor, "inputs.required"))
	for _, pair := range []struct {
		name     string
		cap, acd any
	}{
		{name: "input_schema", cap: manifest["input_schema"], acd: folded(member(descriptor, "inputs.schema"), demanded)},
		{name: "output_schema", cap: manifest["output_schema"], acd: member(descriptor, "outputs.schema")},
		{name: "permissions", cap: manifest["required_permissions"], acd: member(descriptor, "permissions.required")},
	} {
		if _, reference := pair.acd.(string); pair.cap == nil || pair.acd == nil || reference {
			continue
		}
		if !suites.EqualJSON(ordered(pair.cap), ordered(pair.acd)) {
			return fmt.Sprintf("%s is %s in CAP and %s in ACD", pair.name, suites.Print(pair.cap), suites.Print(pair.acd))
		}
	}
	return ""
}

// annotations say nothing of what a schema takes.
var annotations = []string{"$schema", "$id", "$comment", "title", "description", "examples"}

// ordered sorts lists of strings that are sets, permissions and required, and leaves
// annotations out.
func ordered(v any) any {
	switch v := v.(type) {
	case []any:
		if all := suites.Texts(v); len(all) == len(v) {
			return anys(slices.Sorted(slices.Values(all))...)
		}
		return v
	case object:
		made := object{}
		for name, value := range v {
			_, isSchema := value.(object) // of a property with such a name
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
