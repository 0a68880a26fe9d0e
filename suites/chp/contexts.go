package chpsuite

import (
	"context"
	"math/big"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
)

// otherEndings gives an envelope for each outcome beside success that the subject showed: a denial
// first, which every host can be asked for.
func (e *examination) otherEndings(ctx context.Context, sc *suites.Scenario) []envelope {
	var all []envelope
	seen := map[string]bool{}
	for _, a := range slices.Concat(e.unknownOnes(ctx, sc), e.inRole(ctx, sc, roleFails), e.inRole(ctx, sc, roleDisabled), e.unsoundOnes(ctx, sc)) {
		outcome := a.outcome()
		if seen[outcome] || outcome != outcomeDenied && outcome != outcomeFailure && outcome != outcomeSkipped {
			continue
		}
		seen[outcome] = true
		v := a.envelope
		v.id = ""
		all = append(all, v)
	}
	return all
}

// correlationForm is one form of a correlation that an envelope may have.
type correlationForm struct {
	name, kind  string
	correlation any // nil: the member is left out
	times       int
}

// The forms of a correlation that is not there at all.
const (
	formAbsent = "absent"
	formEmpty  = "empty"
)

// withForms sends an envelope that succeeds, and one of each other outcome, under each form.
func (e *examination) withForms(ctx context.Context, sc *suites.Scenario, memo *suites.Memo[[]*attempt], forms func() []correlationForm) ([]*attempt, error) {
	in := func(v envelope, f correlationForm) envelope {
		v.kind, v.correlation, v.form, v.uncommon = f.kind, f.correlation, f.name, true
		return v
	}
	return e.keptOnce(ctx, memo, func() ([]*attempt, error) {
		all, err := e.aroundOne(ctx, sc, func(v envelope) []envelope {
			var made []envelope
			for _, f := range forms() {
				for range f.times {
					made = append(made, in(v, f))
				}
			}
			return made
		})
		if err != nil {
			return nil, err
		}
		for _, v := range e.otherEndings(ctx, sc) {
			for _, f := range forms() {
				other := in(v, f)
				other.kind = v.kind + ", " + strings.TrimPrefix(f.kind, "an invocation ")
				all = append(all, e.try(ctx, sc, other))
			}
		}
		return all, nil
	})
}

// taken tells whether an invocation with the same form of correlation came back with success, so
// that a denial of another one has another reason.
func taken(all []*attempt, form string) bool {
	return slices.ContainsFunc(all, func(a *attempt) bool { return a.form == form && a.outcome() == outcomeSuccess })
}

// withoutCorrelation leaves the correlation id to the host: the member absent, empty, and with a
// trace id alone.
func (e *examination) withoutCorrelation(ctx context.Context, sc *suites.Scenario) ([]*attempt, error) {
	return e.withForms(ctx, sc, &e.done.generated, func() []correlationForm {
		return []correlationForm{
			{formAbsent, "an invocation without correlation", nil, 2},
			{formEmpty, "an invocation with an empty correlation", object{}, 2},
			{"half", "an invocation with a trace id alone", object{"trace_id": uuid.NewString()}, 1},
		}
	})
}

// How long the long ids are: the limits of columns that are met often are 255 and 128.
const (
	longID   = 200
	longerID = 276
)

// unusual are correlation ids that are valid and easily mangled, by name.
func unusual() map[string]string {
	id := uuid.NewString()
	long := func(n int) string {
		text := strings.Repeat("long-", n/5+1)
		return text[:n-len(id)] + id
	}
	return map[string]string{
		"slashes":    "capconform/" + id + "/with/slashes",
		"composed":   "capconform-\u00fc\u00e9\u6f22-" + id,
		"decomposed": "capconform-u\u0308e\u0301\u6f22-" + id,
		"mixed case": "CapConForm-" + id + "-UPPER-lower",
		"long":       long(longID),
		"longer":     long(longerID),
		"percent":    "capconform%2F%41%20" + id,
		"query":      "capconform?" + id + "&x=1#y",
		"blanks":     " capconform  " + id + " ",
		"quotes":     `capconform+"` + id + `"\'`,
		"digits":     new(big.Int).SetBytes([]byte(id[:18])).String(),
		"wildcards":  "capconform*" + id + "_?%",
	}
}

// withContexts sends correlations whose ids are unusual, and one whose every member is filled.
func (e *examination) withContexts(ctx context.Context, sc *suites.Scenario) ([]*attempt, error) {
	return e.withForms(ctx, sc, &e.done.contexts, func() []correlationForm {
		all := []correlationForm{{"full", "an invocation with a full correlation", object{
			"correlation_id": sender + uuid.NewString(), "causation_id": "capconform-cause-" + uuid.NewString()[:8],
			"parent_correlation_id": "capconform-parent-" + uuid.NewString()[:8], "trace_id": uuid.NewString(), "baggage": object{"capconform": "kept"},
		}, 1}}
		ids := unusual()
		for _, name := range sortedNames(ids) {
			all = append(all, correlationForm{name, "an invocation with an unusual correlation id", object{"correlation_id": ids[name]}, 1})
		}
		return all
	})
}

// How long a payload is that is longer than usual.
const longPayload = 4 << 10

// longText is a text in several scripts.
func longText() string {
	text := "capconform \u00fc \u6f22\u5b57"
	return text + strings.Repeat(" and on", (longPayload-len(text))/7)
}

// withLongPayloads invokes two capabilities that take text, and one that nobody has, with a payload
// that is longer than usual.
func (e *examination) withLongPayloads(ctx context.Context, sc *suites.Scenario) []*attempt {
	return e.group(ctx, sc, &e.done.large, func() []envelope {
		all := []envelope{{kind: "an invocation of an unknown capability with a long payload", capability: "capconform.unknown." + uuid.NewString()[:8],
			mode: modeSync, payload: object{"value": longText()}, correlation: caller()}}
		for _, v := range e.textual(ctx, sc) {
			if len(all) > modesOf {
				break
			}
			v.kind, v.payload = "an invocation with a long payload", marked(v.payload, longText())
			v.insists = takesRefusals
			all = append(all, v)
		}
		return all
	})
}

// textual gives envelopes whose payload holds a text and succeeded.
func (e *examination) textual(ctx context.Context, sc *suites.Scenario) []envelope {
	var all []envelope
	for _, a := range e.succeeding(ctx, sc) {
		payload, ok := a.payload.(object)
		if ok && a.outcome() == outcomeSuccess && !suites.EqualJSON(marked(payload, "\x00"), payload) {
			v := a.envelope
			v.id, v.correlation = "", caller()
			all = append(all, v)
		}
	}
	return all
}
