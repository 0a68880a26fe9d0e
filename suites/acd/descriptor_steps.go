package acdsuite

import (
	"context"
	"fmt"
	"slices"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/shape"
)

var descriptorSentences = []sentence{
	say(`the registry shows its entries`, func(w *world) any { return w.needEntries }),
	say(`each descriptor has (?:its|sound) ([a-z_. ]+)`, func(w *world) any { return w.descriptorPart }),
	say(`no descriptor branches by an old type`, func(w *world) any { return w.noOldType }),
	say(`no shell is shown to people`, func(w *world) any { return w.noShellForPeople }),
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

// judged gives the flaws of all descriptors, by requirement.
func (w *world) judged() (map[string][]shape.Flaw, error) {
	s, err := compileShapes(&w.kept.shapes)
	if err != nil {
		return nil, err
	}
	return w.done.judged.Get(context.Background(), func() (map[string][]shape.Flaw, bool) {
		all := map[string][]shape.Flaw{}
		for _, item := range listOf(w.list.value) {
			flaws, _ := s.descriptor.Flaws(item) // a value from JSON can always be decided by a schema of ours
			for _, f := range append(flaws, schemaFlaws(item)...) {
				f.Pointer = "of " + named(item) + ": " + pathOf(f.Pointer)
				f.Message = suites.Print(item)
				all[f.Requirement] = append(all[f.Requirement], f)
			}
		}
		return all, true
	}), nil
}

func named(item any) string {
	if id := text(item, "capability_id"); id != "" {
		return suites.Print(id)
	}
	return "an entry without an id"
}

// schemaFlaws finds schemas that are none.
func schemaFlaws(item any) []shape.Flaw {
	var all []shape.Flaw
	for path, id := range map[string]string{"inputs.schema": idInputs, "outputs.schema": idOutputs} {
		given := member(item, path)
		switch given.(type) {
		case object, bool:
			_, err := schemas.CompileValue(given, schemas.Options{})
			if _, invalid := err.(*schemas.InvalidSchema); invalid { //nolint:errorlint // it is never wrapped
				all = append(all, shape.Flaw{Part: shape.Part{Requirement: id}, Pointer: path, Message: err.Error()})
			}
		}
	}
	return all
}

// descriptorPart judges one member of all descriptors.
func (w *world) descriptorPart(name string) error {
	s, err := compileShapes(&w.kept.shapes)
	if err != nil {
		return err
	}
	p, known := s.descriptor.Part(name)
	if !known {
		return fmt.Errorf("acdsuite: unknown member %q", name)
	}
	if p.Given != nil && !slices.ContainsFunc(listOf(w.list.value), func(item any) bool { return gives(item, p) }) {
		return suites.Inapplicable("no descriptor gives %s", name)
	}
	all, err := w.judged()
	if err != nil || len(all[p.Requirement]) == 0 {
		return err
	}
	first := all[p.Requirement][0]
	return broken("a descriptor has no sound "+name, p.Want, fmt.Sprintf("flaws: %d; the first %s, in %s", len(all[p.Requirement]), first.Pointer, first.Message))
}

func gives(item any, p shape.Part) bool {
	return slices.ContainsFunc(p.Given, func(path string) bool { return member(item, path) != nil })
}

func (w *world) noOldType() error {
	for _, c := range w.entries {
		for name, value := range c.members {
			if oldType(name, value) {
				return broken("a descriptor branches by an old type", "no member that says skill, command or sub-agent", name+" in "+suites.Print(c.members))
			}
		}
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

func (w *world) noShellForPeople() error {
	all, err := w.shellEntries()
	if err != nil {
		return err
	}
	for _, c := range all {
		if scope := text(c.members, "exposure.scope"); scope == "human" || scope == "public" {
			return broken("a shell capability is exposed to people", "the scope internal or agent", scope+" of "+c.id)
		}
	}
	return nil
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
