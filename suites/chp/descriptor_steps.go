package chpsuite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
)

var descriptorSentences = []sentence{
	say(`the host describes itself`, func(w *world) any { return w.describeHost }),
	say(`the host is started again`, func(w *world) any { return w.restartHost }),
	say(`the capabilities are declared`, func(w *world) any { return w.declareCapabilities }),
	say(`the host describes itself and its capabilities are discovered`, func(w *world) any { return w.discover }),
	say(`the host descriptor has its ([a-z_]+)`, func(w *world) any { return w.hasMember(hostMembers) }),
	say(`each capability descriptor has its ([a-z_]+)`, func(w *world) any { return w.hasMember(descriptorMembers) }),
	say(`each ([a-z_]+) that is given has its type`, func(w *world) any { return w.hasType(descriptorMembers) }),
	say(`each ([a-z_]+) that is given is a JSON Schema`, func(w *world) any { return w.isSchema }),
	say(`the modes of each capability include sync`, func(w *world) any { return w.modesIncludeSync }),
	say(`each capability URI is id and version`, func(w *world) any { return w.uriIsPair }),
	say(`id and version name one capability each`, func(w *world) any { return w.pairsNameOne }),
	say(`the same pairs are declared again`, func(w *world) any { return w.pairsStay }),
	say(`the protocol version is 0.1 or goes on from it`, func(w *world) any { return w.protocolVersion }),
	say(`0.1 is among the versions that it says it speaks`, func(w *world) any { return w.saysOldVersion }),
	say(`the evidence metadata say whether the store is append-only`, func(w *world) any { return w.saysAppendOnly }),
	say(`both show the same capabilities`, func(w *world) any { return w.sameCapabilities }),
	say(`the id of the host is the same when it is asked again`, func(w *world) any { return w.sameHost }),
}

// describeHost is the positive control of section 4: a descriptor, whatever it holds.
func (w *world) describeHost() error {
	if w.host.err != nil {
		return w.host.err
	}
	w.sc.Cite(w.host.answer, nil)
	if w.host.result == nil {
		return suites.Violated("the host gives no descriptor of itself", "a HostDescriptor for chp.host", suites.Received(w.host.answer, nil))
	}
	w.objects = []shown{{w.host.result, "the host descriptor", w.host.answer}}
	return nil
}

// declareCapabilities shows the descriptors of discovery and of the host.
func (w *world) declareCapabilities() error {
	for _, source := range []answered{w.discovery, w.host} {
		if source.err != nil {
			return source.err
		}
		w.sc.Consult(source.answer)
		all, _ := source.result["capabilities"].([]any)
		for _, item := range all {
			if members, ok := item.(object); ok {
				w.objects = append(w.objects, shown{members, "a capability descriptor", source.answer})
			}
		}
	}
	if len(w.objects) == 0 {
		w.sc.Cite(w.discovery.answer, nil)
		return suites.Undecided("no capability is declared, so there is nothing to look at")
	}
	return nil
}

func (w *world) discover() error {
	if err := w.describeHost(); err != nil {
		return err
	}
	if w.discovery.err != nil {
		return w.discovery.err
	}
	w.sc.Consult(w.discovery.answer)
	if _, ok := w.discovery.result["capabilities"].([]any); !ok {
		return w.violated(w.discovery.answer, nil, "discovery shows no list of capabilities", "{capabilities: [...]} for chp.capabilities", suites.Received(w.discovery.answer, nil))
	}
	return nil
}

// hasMember judges one required member of every object that is shown.
func (w *world) hasMember(of map[string]member) func(string) error {
	return func(name string) error {
		for _, o := range w.objects {
			if what, got, wrong := of[name].flaw(o.object, name); wrong {
				return w.violated(o.answer, nil, o.what+": "+what, of[name].want, got+" in "+suites.Print(o.object))
			}
		}
		return nil
	}
}

// hasType judges a member where it is given.
func (w *world) hasType(of map[string]member) func(string) error {
	return func(name string) error {
		for _, o := range w.objects {
			if o.object[name] == nil {
				continue
			}
			if what, got, wrong := of[name].flaw(o.object, name); wrong {
				return w.violated(o.answer, nil, o.what+": "+what, of[name].want, got+" in "+suites.Print(o.object))
			}
		}
		return nil
	}
}

func (w *world) isSchema(name string) error {
	var open error
	for _, o := range w.objects {
		if o.object[name] == nil {
			continue
		}
		_, err := w.shop.Template(o.object[name])
		var invalid *schemas.InvalidSchema
		var undecidable *schemas.Undecidable
		switch {
		case errors.As(err, &invalid):
			return w.violated(o.answer, nil, name+" is no JSON Schema", "a schema that is valid in its dialect", invalid.Error()+", in "+suites.Print(o.object[name]))
		case errors.As(err, &undecidable):
			open = suites.Undecided("a schema can't be decided here: %s", undecidable.Message)
		}
	}
	return open
}

func (w *world) modesIncludeSync() error {
	for _, o := range w.objects {
		modes := o.object["modes"]
		if anyTexts.fits(modes) && !slices.Contains(texts(modes), modeSync) {
			return w.violated(o.answer, nil, "the modes of a capability leave sync out", `"sync" among the modes`, suites.Print(modes))
		}
	}
	return nil
}

func (w *world) uriIsPair() error {
	for _, o := range w.objects {
		uri := o.object["capability_uri"]
		if !aText.fits(o.object["id"]) || !aText.fits(o.object["version"]) {
			continue // CHP-3-01's and CHP-3-02's
		}
		want := fmt.Sprintf("%v:%v", o.object["id"], o.object["version"])
		if uri != nil && uri != want {
			return w.violated(o.answer, nil, "the URI of a capability is not its id, a colon and its version", want, suites.Print(uri))
		}
	}
	return nil
}

// pairsNameOne compares descriptors of one list: the host may show a summary.
func (w *world) pairsNameOne() error {
	for _, source := range []answered{w.discovery, w.host} {
		first := map[string]object{}
		all, _ := source.result["capabilities"].([]any)
		for _, item := range all {
			members, _ := item.(object)
			if before, twice := first[pair(members)]; twice && !suites.EqualJSON(before, members) {
				return w.violated(source.answer, nil, "one pair of id and version has two descriptors", "one descriptor for "+pair(members), suites.Print(before)+" and "+suites.Print(members))
			}
			first[pair(members)] = members
		}
	}
	return nil
}

func (w *world) protocolVersion() error {
	version := fmt.Sprint(w.host.result["protocol_version"])
	supported, _ := w.host.result["supported_versions"].([]any)
	speaksOld := slices.ContainsFunc(supported, func(v any) bool { return fmt.Sprint(v) == "0.1" })
	if version == "0.1" || version == "0.2" || (speaksOld && w.host.result["protocol_version"] != nil) {
		return nil
	}
	return suites.Violated("the protocol version of the host is none that holds 0.1", aVersion.want, suites.Print(w.host.result["protocol_version"]))
}

func (w *world) saysOldVersion() error {
	if w.host.result["protocol_version"] == nil {
		return suites.Undecided("the host tells no protocol version: see CHP-4-03")
	}
	supported, _ := w.host.result["supported_versions"].([]any)
	if fmt.Sprint(w.host.result["protocol_version"]) != "0.2" || slices.ContainsFunc(supported, func(v any) bool { return fmt.Sprint(v) == "0.1" }) {
		return nil
	}
	return suites.Violated("a host that prefers a newer protocol version does not say that it speaks 0.1", "0.1 in supported_versions", suites.Print(supported))
}

func (w *world) saysAppendOnly() error {
	evidence, isObject := w.host.result["evidence"].(object)
	if !isObject {
		return suites.Undecided("evidence is no object: see CHP-4-06")
	}
	if !tellsAppendOnly(evidence) {
		return suites.Violated("the evidence metadata do not say whether the store is append-only", "append_only, true or false", suites.Print(evidence))
	}
	return nil
}

// tellsAppendOnly tells whether metadata of a store say that it is append-only, or that it is not, in
// whatever words. A null says nothing.
func tellsAppendOnly(v any) bool {
	switch v := v.(type) {
	case string:
		return aboutAppending(v)
	case []any:
		return slices.ContainsFunc(v, tellsAppendOnly)
	case object:
		for name, item := range v {
			if item != nil && aboutAppending(name) || tellsAppendOnly(item) {
				return true
			}
		}
	}
	return false
}

func aboutAppending(text string) bool {
	return slices.ContainsFunc([]string{"append", "mutab", "writeonce", "worm"}, func(word string) bool {
		return strings.Contains(plainName(text), word)
	})
}

func (w *world) restartHost(ctx context.Context) error {
	if err := w.describeHost(); err != nil {
		return err
	}
	if !aText.fits(w.host.result["id"]) {
		return suites.Undecided("the host tells no id: see CHP-4-01")
	}
	return w.sc.Restart(ctx)
}

func (w *world) sameHost(ctx context.Context) error {
	if !aText.fits(w.host.result["id"]) {
		return suites.Undecided("the host tells no id: see CHP-4-01")
	}
	w.succeeding(ctx, w.sc) // whatever a host counts has moved then
	for range 2 {
		again, err := w.again(ctx, opHost)
		if err != nil {
			return err
		}
		if again.result != nil && again.result["id"] != w.host.result["id"] {
			return suites.Violated("the id of the host changes", suites.Print(w.host.result["id"])+" each time", suites.Print(again.result["id"]))
		}
	}
	return nil
}
