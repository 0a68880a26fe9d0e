package judge

import (
	"encoding/json"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
)

// Member is what the text asks of one member of an object. Null is the same as
// absent, and members that the text doesn't know are free.
type Member struct {
	Want string
	Fits func(any) bool
}

// The kinds of value that the resolutions of the catalogue name.
var (
	AText    = Member{"a string that is not empty", func(v any) bool { s, ok := v.(string); return ok && s != "" }}
	AnyText  = Member{"a string", func(v any) bool { _, ok := v.(string); return ok }}
	ABoolean = Member{"a boolean", func(v any) bool { _, ok := v.(bool); return ok }}
	AnObject = Member{"an object", func(v any) bool { _, ok := v.(history.Object); return ok }}
	ANumber  = Member{"a whole number, 0 or more", func(v any) bool { n, ok := history.WholeNumber(v); return ok && n.Sign() >= 0 }}
	ATime    = Member{"a time: a string that is not empty, or a number", func(v any) bool { _, number := v.(json.Number); return number || AText.Fits(v) }}
	AnyTexts = Member{"a list of strings", listOfTexts}
	Objects  = Member{"a list of objects", listOfObjects}
	AContext = Member{"an object with a correlation_id that is a string and not empty", func(v any) bool {
		c, _ := v.(history.Object)
		return AText.Fits(c["correlation_id"])
	}}
	AVersion = Member{"0.1, or a newer version with 0.1 in supported_versions", func(v any) bool { return v != nil }} // see protocolVersion
	ARisk    = Member{"low, medium, high or critical", func(v any) bool {
		s, ok := v.(string)
		return ok && slices.Contains([]string{"low", "medium", "high", "critical"}, s)
	}}
)

// Demand is what the text asks of one member of an object.
type Demand struct {
	ID   string // of the requirement
	Name string
	Must bool // else judged where it is given
	Member
}

// The members of each object, a requirement each. Live answers and documents are judged by
// the same.
var (
	Descriptor = []Demand{
		{"CHP-3-01", "id", true, AText}, {"CHP-3-02", "version", true, AText}, {"CHP-3-03", "description", true, AnyText},
		{"CHP-3-04", "modes", true, AnyTexts}, {"CHP-3-06", "emits", true, AnyTexts}, {"CHP-3-10", "invariants", false, Objects},
		{"CHP-3-11", "risk", false, ARisk}, {"CHP-3-12", "assurance", false, AnObject}, {"CHP-3-13", "owner", false, AnyText},
		{"CHP-3-13", "tags", false, AnyTexts}, {"CHP-3-13", "metadata", false, AnObject},
	}
	Host = []Demand{
		{"CHP-4-01", "id", true, AText}, {"CHP-4-02", "version", true, AText}, {"CHP-4-03", "protocol_version", true, AVersion},
		{"CHP-4-04", "kind", true, AText}, {"CHP-4-05", "capabilities", true, Objects}, {"CHP-4-06", "evidence", true, AnObject},
	}
	Envelope = []Demand{
		{"CHP-5-02", "invocation_id", true, AText}, {"CHP-5-03", "capability_id", true, AText}, {"CHP-5-04", "mode", true, AText},
		{"CHP-5-05", "correlation", true, AnObject}, {"CHP-5-06", "subject", true, AnObject}, {"CHP-5-07", "payload", true, AnObject},
		{"CHP-5-08", "requested_at", true, ATime},
	}
	Event = []Demand{
		{"CHP-6-03", "event_id", true, AText}, {"CHP-6-04", "event_type", true, AText}, {"CHP-6-05", "invocation_id", true, AText},
		{"CHP-6-06", "capability_id", true, AText}, {"CHP-6-07", "host_id", true, AText}, {"CHP-6-08", "timestamp", true, ATime},
		{"CHP-6-09", "sequence", true, ANumber}, {"CHP-6-10", "payload", true, AnObject}, {"CHP-6-11", "redacted", true, ABoolean},
		{"CHP-6-12", "assurance", true, AnObject}, {"CHP-7-03", "correlation", true, AContext},
	}
	Replay = []Demand{
		{"CHP-10-06", "correlation_id", true, AText}, {"CHP-10-07", "events", true, Objects}, {"CHP-10-08", "event_count", true, ANumber},
		{"CHP-10-09", "replayed_at", true, ATime},
	}
	Query  = []Demand{{"CHP-10-13", "correlation_id", true, AText}}
	Denial = []Demand{
		{"CHP-9-08", "code", true, AText}, {"CHP-9-09", "message", true, AText}, {"CHP-9-10", "invariant_id", false, AText},
		{"CHP-9-11", "retryable", true, ABoolean}, {"CHP-9-12", "details", true, AnObject},
	}
)

// named gives the demand on a member. The features name no other.
func named(all []Demand, name string) Member {
	for _, d := range all {
		if d.Name == name {
			return d.Member
		}
	}
	return Member{Want: "a member that the suite knows", Fits: func(any) bool { return false }}
}

// flaw is a member that is not what the text asks for.
func (m Member) flaw(of history.Object, name string) (what, got string, wrong bool) {
	value := of[name]
	switch {
	case value == nil:
		return name + " is missing", "no such member", true
	case !m.Fits(value):
		return name + " is not " + m.Want, suites.Print(value), true
	}
	return "", "", false
}

func listOfTexts(v any) bool {
	list, ok := v.([]any)
	return ok && len(history.Texts(v)) == len(list)
}

func listOfObjects(v any) bool {
	list, ok := v.([]any)
	return ok && !slices.ContainsFunc(list, func(item any) bool { _, is := item.(history.Object); return !is })
}
