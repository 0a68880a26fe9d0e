package judge

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// attempt is an invocation and its answer, with its evidence.
type attempt struct {
	*history.Attempt
	in *evidence
}

func attempts() *rule.Kind {
	k := rule.NewKind("attempt", (*evidence).allAttempts, attempt.entries, slices.Concat(
		attemptMembers(), correlationMembers(), resultMembers(), evidenceMembers(), foundMembers())...)
	return rule.Losing(k, func(a attempt) *rule.Gap { return a.in.lostGap(&a.Call) })
}

func (j *evidence) allAttempts() []attempt {
	var all []attempt
	for _, a := range j.Attempts() {
		all = append(all, attempt{a, j})
	}
	return all
}

func (a attempt) entries() []record.Tick { return a.in.entriesOfAttempt(a.Attempt) }

// attemptMembers are what was sent, and why.
func attemptMembers() []*rule.Member {
	return []*rule.Member{
		rule.Text("name", func(a attempt) string { return a.Kind }), // for messages
		rule.Text("stimulus", func(a attempt) string { return a.Stimulus }),
		rule.Text("role", func(a attempt) string { return a.Role() }),
		rule.Text("capability_id", func(a attempt) string { return a.Capability }),
		rule.Text("mode", func(a attempt) string { return a.Mode }),
		rule.Value("payload", func(a attempt) any { return a.Payload }),
		rule.Flag("is_last_of_stimulus", func(a attempt) bool {
			all := a.in.Of(a.Stimulus)
			return all[len(all)-1] == a.Attempt
		}),
		rule.Flag("breaks_schema", func(a attempt) bool { return a.About[history.AboutBreaks] != "" }),
		rule.Flag("names_unknown_capability", func(a attempt) bool {
			return a.Stimulus == history.Unknown || a.About[history.AboutEnding] == history.Unknown
		}),
		rule.Flag("names_unlisted_mode", func(a attempt) bool {
			return (a.Stimulus == history.Unlisted || a.About[history.AboutEnding] == history.Unlisted) && a.Mode != "sync"
		}),
		rule.Many("earlier", "attempt", attempt.earlier),
		rule.Many("later", "attempt", attempt.later),
	}
}

// earlier returns the invocations that began before this one, and later those that began after it ended. Neither
// contains those that test whether the host serves after messages that are not envelopes.
func (a attempt) earlier() rule.List[attempt] {
	return a.others(func(b *history.Attempt) bool { return b.Entry < a.Entry })
}

func (a attempt) later() rule.List[attempt] {
	return a.others(func(b *history.Attempt) bool { return b.Entry > a.Done })
}

func (a attempt) others(which func(*history.Attempt) bool) rule.List[attempt] {
	var all rule.List[attempt]
	for _, b := range a.in.Attempts() {
		if which(b) && b.Stimulus != history.NoEnvelope {
			all.Elements = append(all.Elements, attempt{b, a.in})
		}
	}
	return all
}

// resultMembers are what the answer says.
func resultMembers() []*rule.Member {
	return []*rule.Member{
		rule.Flag("answered", func(a attempt) bool { return a.in.answered(a.Attempt) }),
		rule.Flag("arrived", func(a attempt) bool { return a.Lost == nil }), // the host did not close the connection instead
		rule.Flag("is_result", func(a attempt) bool { return a.IsResult() }),
		rule.Value("is_answered_by_result", func(a attempt) any { return a.IsResult() }).InAnswer(),
		rule.Value("is_processed", func(a attempt) any { return a.Processed() }).InAnswer(),
		rule.Flag("matches_envelope", func(a attempt) bool { return a.MatchesEnvelope() }),
		rule.Value("result", func(a attempt) any { return a.Result }).InAnswer(),
		rule.Value("outcome", func(a attempt) any { return a.Result["outcome"] }).InAnswer(),
		rule.Value("success", func(a attempt) any { return a.Result["success"] }).InAnswer(),
		rule.Value("data", func(a attempt) any { return a.Result["data"] }).InAnswer(),
		rule.Value("denial", func(a attempt) any { return a.Result["denial"] }).InAnswer(),
		rule.Value("error", func(a attempt) any { return a.Result["error"] }).InAnswer(),
		rule.Text("answer", func(a attempt) string { return hidden(a.Attempt) }), // for messages
		rule.Flag("has_known_outcome", func(a attempt) bool { return hasOutcome(a.Attempt) }),
		rule.Flag("claims_success", func(a attempt) bool { return saysTrue(a.Result["success"]) }),
		rule.Flag("may_refuse_id", func(a attempt) bool { return a.in.refusable(a.Attempt) }),
		rule.Flag("may_refuse_length", func(a attempt) bool { return a.in.tooLong(a.Attempt) }),
		rule.Value("capability_serves", attempt.capabilityServes),
		rule.Flag("capability_is_declared", func(a attempt) bool { return a.in.descriptor(a.Attempt) != nil }),
		rule.Flag("ends_otherwise", func(a attempt) bool { return a.About[history.AboutEnding] != "" }),
		rule.Text("echoed_value", attempt.echoedValue),
		rule.Value("sent_ids", func(a attempt) any {
			return history.Object{"invocation_id": a.ID, "capability_id": a.Capability}
		}),
		rule.Value("result_ids", func(a attempt) any {
			return history.Object{"invocation_id": a.Result["invocation_id"], "capability_id": a.Result["capability_id"]}
		}),
		rule.Value("serves", attempt.serves).InAnswer(),
		rule.Value("output_schema", func(a attempt) any { return a.in.descriptor(a.Attempt)["output_schema"] }),
		rule.Text("data_flaw", attempt.dataFlaw),
	}
}

// serves reports whether an invocation that must succeed does. A capability that a result refuses may have been
// removed or disabled.
func (a attempt) serves() any {
	if a.DeniedOrSkipped() && a.MatchesEnvelope() {
		return &rule.Gap{Blocks: true, Reason: ruledOut("no invocation succeeded after a message that is not an envelope", a.Attempt)}
	}
	return a.Outcome() == history.Success
}

// dataFlaw returns where the data breaks the output schema, "" if it does not, or if it cannot be decided.
func (a attempt) dataFlaw() string {
	compiled, err := a.in.Cache.Template(a.in.descriptor(a.Attempt)["output_schema"])
	var broken *schemas.Invalidity
	if err == nil && errors.As(compiled.Validate(a.Result["data"]), &broken) {
		return broken.Summary()
	}
	return ""
}

// namesAnother reports whether an id in a result is that of another envelope of the harness, or of another declared
// capability.
func namesAnother(a attempt, got any) any {
	id, _ := got.(string)
	declared := slices.ContainsFunc(a.in.declared(), func(members history.Object) bool { return members["id"] == id })
	return declared && !history.SameName(id, a.Capability) || id != a.ID && strings.HasPrefix(id, history.Sender)
}

// echoedValue returns the text that the data of a success must contain: that of a payload for the capability that
// returns its input. It returns "" for any other invocation.
func (a attempt) echoedValue() string {
	if a.Role() != "echo" || a.About[history.AboutBreaks] != "" {
		return ""
	}
	payload, _ := a.Payload.(history.Object)
	text, _ := payload["value"].(string)
	return text
}

// capabilityServes is true if the capability accepts another payload. Nothing shows whether a capability that
// skips that one too would refuse the payload of this attempt.
func (a attempt) capabilityServes() any {
	works, asked := a.in.guardedWorks(a.Attempt)
	switch {
	case works:
		return true
	case asked:
		why := ruledOut("the capability that refuses a payload is skipped", a.Attempt)
		return &rule.Gap{Reason: why, Blocks: true}
	}
	return &rule.Gap{Reason: undecided("it is not known whether the capability serves"),
		Settle: verdict.Settle{Stimulus: history.ValidForRole, Of: a.Entry}}
}

// guardedWorks reports whether the capability accepts a payload that it need not refuse, so
// that it is not disabled, and whether it was called with such a payload.
func (j *evidence) guardedWorks(a *history.Attempt) (works, asked bool) {
	for _, valid := range j.Of(history.ValidForRole) {
		if valid.Confirms(a.Entry) {
			asked, works = true, works || valid.Outcome() == history.Success
		}
	}
	return works, asked
}

// tooLong reports whether a host may refuse an invocation for the length of its payload: no other one with a
// long payload is answered by a result.
func (j *evidence) tooLong(a *history.Attempt) bool {
	return a.Stimulus == history.LongPayload && !a.IsResult() &&
		!slices.ContainsFunc(j.Of(history.LongPayload), (*history.Attempt).IsResult)
}

// refusable reports whether a host may refuse an invocation for its correlation id.
func (j *evidence) refusable(a *history.Attempt) bool {
	return a.HasUncommonID() && (a.Result == nil || !succeededWithForm(j.Attempts(), a))
}

// hasOutcome reports whether the outcome is defined by the text or by the newer one.
func hasOutcome(a *history.Attempt) bool {
	known := []any{history.Success, history.Failure, history.Denied, history.Skipped, history.Indeterminate}
	return slices.Contains(known, a.Result["outcome"])
}

// saysTrue accepts the spellings of true that occur in practice.
func saysTrue(v any) bool {
	return slices.Contains([]string{"true", "yes", "1", "success"}, strings.ToLower(fmt.Sprint(v)))
}
