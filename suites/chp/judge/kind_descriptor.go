package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// capability is a capability descriptor that an answer shows.
type capability struct {
	shown
	twin *capability // the last one before it in the list that has the same id and version
}

func capabilityKind() *rule.Kind {
	return rule.NewKind(
		"descriptor",
		(*evidence).capabilities,
		func(c *capability) []record.Tick { return []record.Tick{c.entry} },
		rule.Value("members", func(c *capability) any { return c.members }),
		rule.Text("pair", func(c *capability) string { return history.Pair(c.members) }),
		rule.Value("twin", func(c *capability) any {
			if c.twin == nil {
				return nil
			}
			return c.twin.members
		}),
		rule.Text("twin_place", func(c *capability) string { return "in the same answer: " + printed(c.twin.members) }),
	)
}

// capabilities returns the descriptors of all capabilities in every answer. Twins are in one list: the host descriptor
// may contain a summary of each.
func (j *evidence) capabilities() []*capability {
	var all []*capability
	for _, d := range distinct(slices.Concat(j.Lists(), j.Hosts())) {
		last := map[string]*capability{}
		for _, members := range d.Capabilities() {
			pair := history.Pair(members)
			c := &capability{shown{members, "a capability descriptor", d.Entry}, last[pair]}
			all, last[pair] = append(all, c), c
		}
	}
	return all
}

func hostKind() *rule.Kind {
	list := func(j *evidence) []*shown {
		var all []*shown
		for _, o := range j.hostDescriptors() {
			all = append(all, &o)
		}
		return all
	}
	return rule.NewKind("host_descriptor", list, func(h *shown) []record.Tick { return []record.Tick{h.entry} },
		rule.Value("members", func(h *shown) any { return h.members }))
}

// ProtocolVersions returns the versions that a host descriptor declares. The host prefers the
// one in protocol_version.
func ProtocolVersions(descriptor history.Object) []string {
	supported, _ := descriptor["supported_versions"].([]any)
	var all []string
	for _, v := range append([]any{descriptor["protocol_version"]}, supported...) {
		switch v.(type) {
		case string, json.Number, float64:
			all = append(all, fmt.Sprint(v))
		}
	}
	return all
}

// schemaFlaw returns a function that returns why a member of a descriptor is no JSON Schema, "" if it is one.
func schemaFlaw() func(*capability, string) any {
	cache := &instance.Cache{}
	return func(c *capability, name string) any {
		_, err := cache.Template(c.members[name])
		var undecidable *schemas.Undecidable
		switch invalid := (*schemas.InvalidSchema)(nil); {
		case errors.As(err, &invalid):
			return invalid.Error()
		case errors.As(err, &undecidable):
			return &rule.Gap{Blocks: true,
				Reason: verdict.Undecided("the harness cannot decide about a schema: %s", undecidable.Message)}
		}
		return ""
	}
}

// distinct returns the first description of each group of equal answers.
func distinct(all []*history.Description) []*history.Description {
	seen := map[record.Tick]bool{}
	return slices.DeleteFunc(slices.Clone(all), func(d *history.Description) bool {
		again := seen[d.Same]
		seen[d.Same] = true
		return again
	})
}

// statesAppendOnly reports whether metadata of a store state that it is append-only, or that it
// is not, in any words. A null value states nothing.
func statesAppendOnly(v any) bool {
	switch v := v.(type) {
	case string:
		return aboutAppending(v)
	case []any:
		return slices.ContainsFunc(v, statesAppendOnly)
	case history.Object:
		for name, item := range v {
			if item != nil && aboutAppending(name) || statesAppendOnly(item) {
				return true
			}
		}
	}
	return false
}

func aboutAppending(text string) bool {
	return slices.ContainsFunc([]string{"append", "mutab", "writeonce", "worm"}, func(word string) bool {
		return strings.Contains(history.PlainName(text), word)
	})
}
