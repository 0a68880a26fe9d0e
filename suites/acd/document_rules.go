package acdsuite

import (
	_ "embed"
	"errors"
	"slices"
	"sync"

	"github.com/capconform/capconform/suites/lint"
	"github.com/capconform/capconform/suites/shape"
)

//go:embed document_rules.yaml
var documentRuleFile []byte

// documents makes the rules on documents once: most commands need none. The rules on members are made from the parts of
// the schemas.
var documents = sync.OnceValue(func() *lint.Vocabulary {
	descriptor, err := shape.Parts("acd/capability-descriptor.schema.json")
	manifest, err2 := shape.Parts("acd/agent-manifest.schema.json")
	rules, err3 := lint.LoadRules(documentRuleFile)
	kinds := append(givenMembers(append(slices.Clone(descriptor), manifest...)),
		kindDescriptors, kindSeveral, kindShells, kindAdapters, kindManifests, kindIndexes, kindChannels, kindExposed,
		kindExemplar)
	return lint.NewVocabulary(kinds, slices.Concat(partRules("capability descriptor", descriptor),
		partRules("agent manifest", manifest), rules, minimumRules()), errors.Join(err, err2, err3))
})

func givenMembers(parts []shape.Part) []string {
	var all []string
	for _, p := range parts {
		if p.Given != nil {
			all = append(all, p.Member)
		}
	}
	return all
}

func partRules(of string, parts []shape.Part) []lint.Rule {
	var all []lint.Rule
	for _, p := range parts {
		sentence := "each " + of + " has its " + p.Member
		if p.Given != nil {
			sentence = "each " + of + " has valid " + p.Member
		}
		all = append(all,
			lint.Rule{ID: p.Requirement, Sentence: sentence,
				Broken: p.Member + " of a " + of + " is not valid", Want: p.Want})
	}
	return all
}

func minimumRules() []lint.Rule {
	var all []lint.Rule
	for _, m := range minimum {
		all = append(all,
			lint.Rule{ID: m.requirement, Sentence: "the exemplar lists " + m.id,
				Broken: "the exemplar does not ship with " + m.id, Want: m.id + " in capabilities.list, enabled"})
	}
	return all
}
