package chpdocument

import (
	_ "embed"
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

//go:embed rules.yaml
var ruleFile []byte

// documentReading contains the rules on documents.
type documentReading struct {
	*lint.Vocabulary
	set *rule.Set // those of the rules that are data
}

// documents makes the rules once: most commands need none.
var documents = sync.OnceValue(func() documentReading {
	further, err := lint.LoadRules(ruleFile)
	members, err2 := memberRules(further)
	set, err3 := chprules.OfDocuments(vocabulary())
	rules := slices.Concat(members, further)
	for _, r := range set.Rules {
		rules = append(rules, lint.Rule{Sentence: r.String()})
	}
	return documentReading{lint.NewVocabulary(kinds, rules, errors.Join(err, err2, err3)), set}
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

// memberRules makes the rules of the members for which there is a requirement, except those that further rules judge.
func memberRules(further []lint.Rule) ([]lint.Rule, error) {
	var all []lint.Rule
	for _, f := range memberForms {
		parts, err := shape.Parts("chp/" + f.schema + ".schema.json")
		if err != nil {
			return nil, fmt.Errorf("documents: %w", err)
		}
		for _, p := range parts {
			known := func(r lint.Rule) bool { return r.ID == p.Requirement }
			if !judgedByRules[p.Requirement] && !slices.ContainsFunc(all, known) && !slices.ContainsFunc(further, known) {
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
