package judge

import (
	"errors"
	"slices"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// capability is a capability descriptor that an answer shows.
type capability struct {
	shown
}

func capabilityKind() *rule.Kind {
	return rule.NewKind("descriptor", (*evidence).capabilities, func(c *capability) []record.Tick { return []record.Tick{c.entry} },
		rule.Value("members", func(c *capability) any { return c.members }),
	)
}

// capabilities returns the descriptors of all capabilities in every answer.
func (j *evidence) capabilities() []*capability {
	var all []*capability
	for _, d := range distinct(slices.Concat(j.Lists(), j.Hosts())) {
		for _, members := range d.Capabilities() {
			all = append(all, &capability{shown{members, "a capability descriptor", d.Entry}})
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
