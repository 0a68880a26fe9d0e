package chpsuite

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/lint"
)

// The kinds of things that a scenario may need among the documents.
const (
	heldDescriptors = "capability descriptors"
	heldHosts       = "host descriptors"
	heldEnvelopes   = "envelopes"
	heldQueries     = "replay queries"
	heldReplays     = "replay results"
	heldEvents      = "events of the host's own"
	heldCustom      = "events of a capability's own"
	heldHistories   = "histories of events"
	heldCompleted   = "completed invocations"
	heldFailed      = "failed invocations"
	heldClosed      = "invocations that ended"
	heldDenials     = "denial records"
	heldContexts    = "correlation contexts"
	heldURIs        = "capability URIs"
)

var heldKinds = []string{
	heldDescriptors, heldHosts, heldEnvelopes, heldQueries, heldReplays, heldEvents, heldCustom, heldHistories, heldCompleted, heldFailed,
	heldClosed, heldDenials, heldContexts, heldURIs, "input_schema", "output_schema", "invariants", "risk", "assurance", "owner, tags or metadata",
}

// demand is what is asked of one member of an object in a document.
type demand struct {
	id   string // of the requirement; "": of events of a capability's own
	name string
	must bool // else judged where it is given
	member
}

// demands are the members of each form, one requirement each.
var demands = map[form][]demand{
	formDescriptor: {
		{"CHP-3-01", "id", true, aText}, {"CHP-3-02", "version", true, aText}, {"CHP-3-03", "description", true, anyText},
		{"CHP-3-04", "modes", true, anyTexts}, {"CHP-3-06", "emits", true, anyTexts}, {"CHP-3-10", "invariants", false, objects},
		{"CHP-3-11", "risk", false, aRisk}, {"CHP-3-12", "assurance", false, anObject}, {"CHP-3-13", "owner", false, anyText},
		{"CHP-3-13", "tags", false, anyTexts}, {"CHP-3-13", "metadata", false, anObject},
	},
	formHost: {
		{"CHP-4-01", "id", true, aText}, {"CHP-4-02", "version", true, aText}, {"CHP-4-03", "protocol_version", true, aVersion},
		{"CHP-4-04", "kind", true, aText}, {"CHP-4-05", "capabilities", true, objects}, {"CHP-4-06", "evidence", true, anObject},
	},
	formEnvelope: {
		{"CHP-5-02", "invocation_id", true, aText}, {"CHP-5-03", "capability_id", true, aText}, {"CHP-5-04", "mode", true, aText},
		{"CHP-5-05", "correlation", true, anObject}, {"CHP-5-06", "subject", true, anObject}, {"CHP-5-07", "payload", true, anObject},
		{"CHP-5-08", "requested_at", true, aTime},
	},
	formEvent: {
		{"CHP-6-03", "event_id", true, aText}, {"CHP-6-04", "event_type", true, aText}, {"CHP-6-05", "invocation_id", true, aText},
		{"CHP-6-06", "capability_id", true, aText}, {"CHP-6-07", "host_id", true, aText}, {"CHP-6-08", "timestamp", true, aTime},
		{"CHP-6-09", "sequence", true, aNumber}, {idPayload, "payload", true, anObject}, {"CHP-6-11", "redacted", true, aBoolean},
		{"CHP-6-12", "assurance", true, anObject}, {"CHP-7-03", "correlation", true, aContext},
	},
	formReplay: {
		{"CHP-10-06", "correlation_id", true, aText}, {"CHP-10-07", "events", true, objects}, {idCount, "event_count", true, aNumber},
		{"CHP-10-09", "replayed_at", true, aTime},
	},
	formQuery: {
		{idQuery, "correlation_id", true, aText},
	},
}

// denialDemands are the members of a denial record, in results and in events.
var denialDemands = []demand{
	{"CHP-9-08", "code", true, aText}, {"CHP-9-09", "message", true, aText}, {"CHP-9-10", "invariant_id", false, aText},
	{"CHP-9-11", "retryable", true, aBoolean}, {"CHP-9-12", "details", true, anObject},
}

// The requirements that are judged in more than one place, or by more than a member.
const (
	idRecommended = "CHP-3-07"
	idSync        = "CHP-3-05"
	idURI         = "CHP-3-14"
	idPair        = "CHP-3-15"
	idVersion     = "CHP-4-03"
	idHosted      = "CHP-4-05"
	idAppendOnly  = "CHP-4-07"
	idSaysOld     = "CHP-4-10"
	idPayload     = "CHP-6-10"
	idOnce        = "CHP-6-13"
	idCustom      = "CHP-6-14"
	idCompleted   = "CHP-8-08"
	idFailed      = "CHP-8-09"
	idStory       = "CHP-8-13"
	idEvents      = "CHP-10-07"
	idCount       = "CHP-10-08"
	idOrder       = "CHP-10-10"
	idQuery       = "CHP-10-13"
)

// schemaMembers are the two schemas of a descriptor.
var schemaMembers = map[string]string{"input_schema": "CHP-3-08", "output_schema": "CHP-3-09"}

// recommended are the members that a descriptor may leave out (CHP 3).
var recommended = []string{"input_schema", "output_schema", "invariants", "risk", "assurance", "owner", "tags", "metadata"}

// partHint tells what makes a part of a replay known as one.
const partHint = "a part of a replay is known as one if it says truncated or partial, or if the ReplayQuery with its limit or since_sequence is examined beside it"

// documentRules joins the rules of members with those that look further.
var documentRules = slices.Concat(memberRules(), []lint.Rule{
	{ID: idSync, Sentence: "each capability descriptor has sync among its modes", Broken: "the modes of a capability leave sync out", Want: `"sync" among the modes`},
	{ID: idRecommended, Sentence: "each capability descriptor has the recommended members", Broken: "a capability descriptor lacks recommended members", Want: "input_schema, output_schema, invariants, risk, assurance, owner, tags and metadata"},
	{ID: "CHP-3-08", Sentence: "each input_schema is a JSON Schema", Broken: "input_schema is no JSON Schema", Want: "a schema that is valid in its dialect"},
	{ID: "CHP-3-09", Sentence: "each output_schema is a JSON Schema", Broken: "output_schema is no JSON Schema", Want: "a schema that is valid in its dialect"},
	{ID: idURI, Sentence: "each capability_uri is id and version", Broken: "the URI of a capability is not its id, a colon and its version", Want: "id:version"},
	{ID: idPair, Sentence: "no two capability descriptors with one pair of id and version differ", Broken: "one pair of id and version has two descriptors", Want: "one descriptor for each pair"},
	{ID: idAppendOnly, Sentence: "each host descriptor says whether its evidence is append-only", Broken: "the evidence metadata do not say whether the store is append-only", Want: "append_only, true or false, or the same in other words"},
	{ID: idSaysOld, Sentence: "each host descriptor has 0.1 among its versions", Broken: "a host that prefers a newer protocol version does not say that it speaks 0.1", Want: "0.1 in supported_versions"},
	{ID: idOnce, Sentence: "each event stands in its evidence once", Broken: "an event stands in the evidence twice", Want: "one event for each event_id"},
	{ID: idCustom, Sentence: "each event of a capability's own is structured and correlated", Broken: "an event of a capability's own is not structured and correlated", Want: "the members of every other event, with the correlation"},
	{ID: idCompleted, Sentence: "each execution_completed has its execution_started before it", Broken: "the outcome success leaves no execution_started and execution_completed in this order", Want: "execution_started and behind it execution_completed", Hint: partHint},
	{ID: idFailed, Sentence: "each execution_failed has its execution_started before it", Broken: "the outcome failure leaves no execution_started and execution_failed in this order", Want: "execution_started and behind it execution_failed", Hint: partHint},
	{ID: idStory, Sentence: "results and events tell one story with one end", Broken: "results and events contradict each other", Want: "one closing event for an attempt, of the outcome that it and the result bear"},
	{ID: idOrder, Sentence: "the events of each correlation stand in the order of their sequence", Broken: "the sequence of events does not rise", Want: "each sequence above the one before it"},
}, closedRules())

var documentVocabulary = lint.NewVocabulary(heldKinds, documentRules)

// formNames are the objects as sentences and messages name them.
var formNames = map[form]string{
	formDescriptor: "a capability descriptor", formHost: "a host descriptor", formEnvelope: "an envelope", formEvent: "an event",
	formReplay: "a replay result", formQuery: "a replay query",
}

// sentencesOfSeveral are those of requirements that are about several members.
var sentencesOfSeveral = map[string]string{
	"CHP-3-13": "each owner, tags and metadata of a capability descriptor have their types",
	idVersion:  "each host descriptor has a protocol_version that is 0.1 or goes on from it",
}

// memberRules makes the rules of the members that have a requirement of their own.
func memberRules() []lint.Rule {
	var all []lint.Rule
	add := func(of string, d demand) {
		sentence := "each " + strings.TrimPrefix(strings.TrimPrefix(of, "an "), "a ") + " has its " + d.name
		if !d.must {
			sentence = "each " + d.name + " of " + of + " has its type"
		}
		if several := sentencesOfSeveral[d.id]; several != "" {
			sentence = several
		}
		if !slices.ContainsFunc(all, func(r lint.Rule) bool { return r.ID == d.id }) {
			all = append(all, lint.Rule{ID: d.id, Sentence: sentence, Broken: of + ": " + d.name + " is not what it has to be", Want: d.want})
		}
	}
	for _, f := range []form{formDescriptor, formHost, formEnvelope, formEvent, formReplay, formQuery} {
		for _, d := range demands[f] {
			add(formNames[f], d)
		}
	}
	for _, d := range denialDemands {
		add("a denial record", d)
	}
	return all
}
