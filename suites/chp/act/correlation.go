package act

import (
	"context"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites/chp/history"
)

// form is one form of a correlation that an envelope may have.
type form struct {
	name        string
	correlation any // nil: the member is left out
	times       int
}

// correlations are the forms of what the caller sends as one.
type correlations struct{ bench }

// endings gives an envelope for each outcome beside success that the subject showed: a
// denial first, which every host can be asked for.
func (c correlations) endings() []envelope {
	var all []envelope
	seen := map[string]bool{}
	take := func(some []*history.Attempt) {
		for _, a := range some {
			outcome := a.Outcome()
			if seen[outcome] || outcome != history.Denied && outcome != history.Failure && outcome != history.Skipped {
				continue
			}
			seen[outcome] = true
			v := c.like(a).with(history.AboutEnding, a.Stimulus)
			v.retries = never
			if a.Role() == Fails {
				v.retries = expectsToBeDone
			}
			all = append(all, v)
		}
	}
	inRole := func(role string) []*history.Attempt {
		return slices.DeleteFunc(c.History.Of(history.InRole), func(a *history.Attempt) bool { return a.Role() != role })
	}
	take(c.History.Of(history.Unknown))
	take(inRole(Fails))
	take(inRole(Disabled))
	take(c.History.Of(history.Unsound))
	return all
}

// withForms sends an envelope that succeeds, and one of each other outcome, under each form.
func (c correlations) withForms(ctx context.Context, forms func() []form) error {
	err := c.aroundOne(ctx, func(v envelope) []envelope {
		var made []envelope
		for _, f := range forms() {
			for range f.times {
				made = append(made, v.under(f.correlation).with(history.AboutForm, f.name))
			}
		}
		return made
	})
	if err != nil {
		return err
	}
	for _, v := range c.endings() {
		for _, f := range forms() {
			c.try(ctx, v.under(f.correlation).with(history.AboutForm, f.name))
		}
	}
	return nil
}

// withoutCorrelation leaves the correlation id to the host: the member absent, empty, and
// with a trace id alone.
func (c correlations) withoutCorrelation(ctx context.Context) error {
	return c.withForms(ctx, func() []form {
		return []form{
			{history.FormAbsent, nil, 2}, {history.FormEmpty, history.Object{}, 2},
			{history.FormHalf, history.Object{"trace_id": uuid.NewString()}, 1},
		}
	})
}

// How long the long ids are: the limits of columns that are met often are 255 and 128. The last characters
// of a number of 144 bits, in base 62, are a short id that a host with the evidence of other runs has not seen.
const (
	longID   = 200
	longerID = 276
	shortID  = 7
)

// unusualIDs are correlation ids that are valid and easily mangled, by name.
func unusualIDs() map[string]string {
	id := uuid.NewString()
	number := new(big.Int).SetBytes([]byte(id[:18]))
	compact := number.Text(big.MaxBase)
	long := func(n int) string {
		text := strings.Repeat("long-", n/5+1)
		return text[:n-len(id)] + id
	}
	return map[string]string{
		"slashes":    "capconform/" + id + "/with/slashes",
		"composed":   "capconform-\u00fc\u00e9\u6f22-" + id,
		"decomposed": "capconform-u\u0308e\u0301\u6f22-" + id,
		"mixed-case": "CapConForm-" + id + "-UPPER-lower",
		"long":       long(longID),
		"longer":     long(longerID),
		"percent":    "capconform%2F%41%20" + id,
		"query":      "capconform?" + id + "&x=1#y",
		"blanks":     " capconform  " + id + " ",
		"short":      compact[len(compact)-shortID:],
		"quotes":     `capconform+"` + id + `"\'`,
		"digits":     number.String(),
		"wildcards":  "capconform*" + id + "_?%",
	}
}

// unusual sends correlations whose ids are unusual, and one whose every member is filled.
func (c correlations) unusual(ctx context.Context) error {
	return c.withForms(ctx, func() []form {
		all := []form{{history.FormFull, history.Object{
			"correlation_id": fresh(), "causation_id": "capconform-cause-" + uuid.NewString()[:8],
			"parent_correlation_id": "capconform-parent-" + uuid.NewString()[:8], "trace_id": uuid.NewString(),
			"baggage": history.Object{"capconform": "kept"},
		}, 1}}
		ids := unusualIDs()
		for _, name := range slices.Sorted(maps.Keys(ids)) {
			all = append(all, form{name, history.Object{"correlation_id": ids[name]}, 1})
		}
		return all
	})
}

// emptyIDs sends null and an empty string as the correlation id.
func (c correlations) emptyIDs(ctx context.Context) error {
	candidates, err := c.candidates()
	if err != nil {
		return err
	}
	for _, f := range []form{{name: "null"}, {name: "empty-text", correlation: ""}} {
		c.try(ctx, candidates[0].under(history.Object{"correlation_id": f.correlation}).with(history.AboutForm, f.name))
	}
	return nil
}
