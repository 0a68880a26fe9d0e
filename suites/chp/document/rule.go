package chpdocument

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	chprules "github.com/capconform/capconform/suites/chp/rules"
	"github.com/capconform/capconform/suites/lint"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/shape"
)

// The kinds of things that a scenario may need among the documents.
const (
	kindDescriptors = "capability descriptors"
	kindHosts       = "host descriptors"
	kindEnvelopes   = "envelopes"
	kindQueries     = "replay queries"
	kindReplays     = "replay results"
	kindResults     = "invocation results"
	kindEvents      = "events that the host writes"
	kindCustom      = "events that capabilities emit"
	kindHistories   = "histories of events"
	kindCompleted   = "completed invocations"
	kindFailed      = "failed invocations"
	kindSkipped     = "skipped invocations"
	kindClosed      = "invocations that ended"
	kindDenials     = "denial records"
	kindContexts    = "correlation contexts"
	kindURIs        = "capability URIs"
)

var kinds = []string{
	kindDescriptors, kindHosts, kindEnvelopes, kindQueries, kindReplays, kindResults, kindEvents, kindCustom,
	kindHistories,
	kindCompleted, kindFailed, kindSkipped,
	kindClosed, kindDenials, kindContexts, kindURIs, "input_schema", "output_schema", "invariants", "risk", "assurance",
	"owner, tags or metadata",
}

// The requirements that are judged in more than one place, or by more than a member.
const (
	idSync    = "CHP-3-05"
	idURI     = "CHP-3-14"
	idVersion = "CHP-4-03"
	idPayload = "CHP-6-10"
	idCustom  = "CHP-6-14"
)

// judgedByRules are the parts of schemas that further rules also judge, beyond the type.
var judgedByRules = map[string]bool{"CHP-3-08": true, "CHP-3-09": true, idURI: true}

// schemaMembers are the two schemas of a descriptor.
var schemaMembers = map[string]string{"input_schema": "CHP-3-08", "output_schema": "CHP-3-09"}

// furtherRules are the rules that apply to more than one member.
var furtherRules = []lint.Rule{
	{ID: idSync, Sentence: "each capability descriptor has sync among its modes",
		Broken: "the modes of a capability do not include sync", Want: `a list that contains "sync"`},
	{ID: "CHP-3-08", Sentence: "each input_schema is a JSON Schema", Broken: "input_schema is not a JSON Schema",
		Want: "a schema that is valid in its dialect"},
	{ID: "CHP-3-09", Sentence: "each output_schema is a JSON Schema", Broken: "output_schema is not a JSON Schema",
		Want: "a schema that is valid in its dialect"},
	{ID: idCustom, Sentence: "each event that a capability emits is structured and correlated",
		Broken: "an event that a capability emits is not structured and correlated",
		Want:   "the members of every other event, with the correlation"},
}

// closedReadings are the forms that have a closed reading, by schema. A closed reading only
// advises.
var closedReadings = []struct {
	id     string
	form   form
	schema string
}{
	{"CHP-3-19", formDescriptor, "capability-descriptor"},
	{"CHP-4-11", formHost, "host-descriptor"},
	{"CHP-5-13", formEnvelope, "invocation-envelope"},
	{"CHP-6-18", formEvent, "evidence-event"},
	{"CHP-7-08", formContext, "correlation-context"},
	{"CHP-10-11", formQuery, "replay-query"},
	{"CHP-10-12", formReplay, "replay-result"},
}

func closedRules() []lint.Rule {
	var all []lint.Rule
	for _, c := range closedReadings {
		all = append(all, lint.Rule{
			ID: c.id, Sentence: fmt.Sprintf("each %s conforms to the closed reading", c.form),
			Broken: fmt.Sprintf("a %s does not conform to the closed reading of its schema", c.form),
			Want:   "no other members, and the forms of the newer schemas",
		})
	}
	return all
}

// documentReading contains the rules on documents.
type documentReading struct {
	rules      []lint.Rule
	set        *rule.Set // those of the rules that are data
	vocabulary *lint.Vocabulary
	err        error // a schema or a rule file of the suite is broken
}

// documents makes the rules once: most commands need none.
var documents = sync.OnceValue(func() documentReading {
	members, err := memberRules()
	set, broken := chprules.OfDocuments(vocabulary())
	d := documentReading{rules: slices.Concat(members, furtherRules, closedRules()), set: set,
		err: errors.Join(err, broken)}
	for _, r := range set.Rules {
		d.rules = append(d.rules, lint.Rule{Sentence: r.String()})
	}
	d.vocabulary = lint.NewVocabulary(kinds, d.rules)
	return d
})

// memberForms are the objects for whose members there are requirements, by schema, with their
// names in sentences and messages.
var memberForms = []struct{ schema, name string }{
	{"capability-descriptor", "a capability descriptor"}, {"host-descriptor", "a host descriptor"},
	{"invocation-envelope", "an envelope"},
	{"invocation-result", "an invocation result"}, {"evidence-event", "an event"},
	{"replay-result", "a replay result"}, {"replay-query", "a replay query"},
	{"denial", "a denial record"},
}

// sentencesByRequirement are the sentences of requirements on several members.
var sentencesByRequirement = map[string]string{
	"CHP-3-13": "the owner, tags and metadata of each capability descriptor have their types",
	idVersion:  "each host descriptor has a protocol_version that is 0.1 or extends it",
}

// memberRules makes the rules of the members for which there is a requirement.
func memberRules() ([]lint.Rule, error) {
	var all []lint.Rule
	for _, f := range memberForms {
		parts, err := shape.Parts("chp/" + f.schema + ".schema.json")
		if err != nil {
			return nil, fmt.Errorf("documents: %w", err)
		}
		for _, p := range parts {
			known := func(r lint.Rule) bool { return r.ID == p.Requirement }
			if !judgedByRules[p.Requirement] && !slices.ContainsFunc(all, known) && !slices.ContainsFunc(furtherRules, known) {
				all = append(all, memberRule(f.name, p))
			}
		}
	}
	return all, nil
}

func memberRule(of string, p shape.Part) lint.Rule {
	sentence := "each " + strings.TrimPrefix(strings.TrimPrefix(of, "an "), "a ") + " has its " + p.Member
	if p.Given != nil {
		sentence = "each " + p.Member + " of " + of + " has its type"
	}
	if several := sentencesByRequirement[p.Requirement]; several != "" {
		sentence = several
	}
	return lint.Rule{ID: p.Requirement, Sentence: sentence, Broken: of + ": " + p.Member + " is missing or invalid",
		Want: p.Want}
}
