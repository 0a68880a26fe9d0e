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

// form is one form of correlation that an envelope may have.
type form struct {
	name        string
	correlation any // nil: the member is omitted
	times       int
}

// correlations sends different forms of correlation.
type correlations struct{ bench }

// endings returns an envelope for each outcome other than success that the subject returned, beginning with a
// denial, which every host can return.
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
			v := c.envelopeOf(a).with(history.AboutEnding, a.Stimulus)
			v.retries = never
			if a.Role() == Fails {
				v.retries = expectsSuccess
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
	take(c.History.Of(history.Invalid))
	return all
}

// withForms sends an envelope that succeeds, and one of each other outcome, under each form.
func (c correlations) withForms(ctx context.Context, forms func() []form) error {
	err := c.tryAround(ctx, func(v envelope) []envelope {
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
			c.invokeAndReplay(ctx, v.under(f.correlation).with(history.AboutForm, f.name))
		}
	}
	return nil
}

// withoutCorrelation supplies no correlation id: the member is absent, empty, or contains only a
// trace id.
func (c correlations) withoutCorrelation(ctx context.Context) error {
	return c.withForms(ctx, func() []form {
		return []form{
			{history.FormAbsent, nil, 2}, {history.FormEmpty, history.Object{}, 2},
			{history.FormHalf, history.Object{"trace_id": uuid.NewString()}, 1},
		}
	})
}

// The lengths of the long ids exceed 128, 255 and 2,048, which are common limits of columns and texts. A short id
// consists of the last characters of a 144-bit number in base 62, so that it differs from the
// ids of other runs.
const (
	longID    = 200
	longerID  = 276
	longestID = 2100
	shortID   = 7
)

// unusualIDs returns valid correlation ids that hosts often corrupt, by name.
func unusualIDs() map[string]string {
	id := uuid.NewString()
	number := new(big.Int).SetBytes([]byte(id[:18]))
	compact := number.Text(big.MaxBase)
	long := func(n int) string {
		text := strings.Repeat("long-", n/5+1)
		return text[:n-len(id)] + id
	}
	return map[string]string{
		"slashes":     "capconform://" + id + "/with.dots/../and/./slashes/.",
		"composed":    "capconform-\u00fc\u00e9\u6f22\uff21\U0001f469\u200d\U0001f4bb-" + id,
		"decomposed":  "capconform-u\u0308e\u0301\u6f22-" + id,
		"mixed-case":  strings.ToUpper(id), // only a UUID, which hosts rewrite
		"long":        long(longID),
		"longer":      long(longerID),
		"longest":     long(longestID),
		"hexadecimal": strings.ReplaceAll(id, "-", ""), // a UUID to which hosts add hyphens
		"percent":     "capconform%2F%41%20" + id,
		"query":       "capconform?" + id + "&x=1;y,z#w@v--",
		"blanks":      " capconform  " + id + " ",
		"short":       compact[len(compact)-shortID:],
		"quotes":      `capconform+"` + id + "\"\\\t\n'",
		"digits":      "00" + number.String(),
		"wildcards":   "capconform*" + id + "_?%$x{y}",
	}
}

// unusual sends correlations with unusual ids, and one with a value for every member.
func (c correlations) unusual(ctx context.Context) error {
	return c.withForms(ctx, func() []form {
		full := history.Object{
			"correlation_id": newInvocationID(), "causation_id": "capconform-cause-" + uuid.NewString()[:8],
			"parent_correlation_id": "capconform-parent-" + uuid.NewString()[:8], "trace_id": uuid.NewString(),
			"baggage": history.Object{"capconform": "kept"},
		}
		if c.Stable {
			full["environment"] = "test"
		}
		all := []form{{history.FormFull, full, 1}}
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
		c.invokeAndReplay(ctx, candidates[0].under(history.Object{"correlation_id": f.correlation}).with(history.AboutForm,
			f.name))
	}
	return nil
}
