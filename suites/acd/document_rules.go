package acdsuite

import (
	"errors"
	"slices"
	"sync"

	"github.com/capconform/capconform/suites/lint"
	"github.com/capconform/capconform/suites/shape"
)

// documentReading contains the kinds of documents and the rules on them.
type documentReading struct {
	kinds      []string // the kinds of documents that a scenario may need
	rules      []lint.Rule
	vocabulary *lint.Vocabulary
	err        error // a schema of the suite is broken
}

// documents makes the rules once: most commands need none.
var documents = sync.OnceValue(func() documentReading {
	descriptor, err := shape.Parts("acd/capability-descriptor.schema.json")
	manifest, err2 := shape.Parts("acd/agent-manifest.schema.json")
	d := documentReading{
		kinds: append(givenMembers(append(slices.Clone(descriptor), manifest...)),
			kindDescriptors, kindSeveral, kindShells, kindAdapters, kindManifests, kindIndexes, kindChannels, kindExposed,
			kindExemplar),
		rules: documentRules(descriptor, manifest),
		err:   errors.Join(err, err2),
	}
	d.vocabulary = lint.NewVocabulary(d.kinds, d.rules)
	return d
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

// documentRules returns the requirements on documents: those on members, made from the parts of
// the schemas, and those on more than one member.
func documentRules(descriptor, manifest []shape.Part) []lint.Rule {
	return slices.Concat(partRules("capability descriptor", descriptor), descriptorRules,
		partRules("agent manifest", manifest), manifestRules, minimumRules())
}

var descriptorRules = []lint.Rule{
	{ID: idBranching, Sentence: "no capability descriptor branches by an old type",
		Broken: "a descriptor branches by an old type", Want: "no member for the old types skill, command and sub-agent"},
	{ID: idClosed, Sentence: "each capability descriptor conforms to the closed reading",
		Broken: "a descriptor does not conform to the closed reading", Want: "all printed members and no others"},
	{ID: idReferences, Sentence: "each capability that a descriptor names is registered",
		Broken: "a descriptor names a capability that is not registered",
		Want:   "the ids of dependencies and hooks among the descriptors"},
	{ID: idCycles, Sentence: "neither dependencies nor hooks form a cycle",
		Broken: "dependencies or hooks form a cycle", Want: "no path from a capability back to itself"},
	{ID: idDelegation, Sentence: "each capability that creates sub-agents may be delegated",
		Broken: "a capability that creates sub-agents may not be delegated", Want: "delegation.allowed true or absent"},
	{ID: idAliases, Sentence: "each command alias belongs to one capability with the mode command",
		Broken: "a command alias does not belong to one capability with the mode command",
		Want:   "the mode command, and each alias once"},
	{ID: idForms, Sentence: "ids, versions, modes and required inputs have the usual forms",
		Broken: "a descriptor has an unusual form",
		Want:   "an id of letters, digits and _ . : -, a semantic version, a mode, and required inputs that the schema defines"},
	{ID: idDuplicates, Sentence: "no two capability descriptors of one id and version differ",
		Broken: "one id and version has two descriptors", Want: "one descriptor for each id and version"},
	{ID: idShellChannels, Sentence: "no channel exposes a shell capability",
		Broken: "a shell capability is exposed on a channel",
		Want:   "shell capabilities without the scope channel, without channels, and in no channel of a manifest"},
	{ID: idShellHumans, Sentence: "no shell capability is exposed to people",
		Broken: "a shell capability is exposed to people", Want: "the scope internal or agent"},
	{ID: idModes, Sentence: "each channel adapter declares its modes", Broken: "a channel adapter declares no mode",
		Want: "at least one mode in invocation.modes"},
}

var manifestRules = []lint.Rule{
	{ID: idIndex, Sentence: "each id in the list of an agent manifest is registered",
		Broken: "the list of a manifest names a capability that is not registered",
		Want:   "a descriptor for each id of capabilities.list"},
	{ID: idBehaviour, Sentence: "no channel defines behaviour", Broken: "a channel defines behaviour",
		Want: "channel_id and the ids of the capabilities that it exposes"},
	{ID: idExposes, Sentence: "each capability that a channel exposes is registered",
		Broken: "a channel exposes a capability that is not registered", Want: "ids of the registry"},
	{ID: idClosedManifest, Sentence: "each agent manifest conforms to the closed reading",
		Broken: "a manifest does not conform to the closed reading", Want: "all printed members and no others"},
	{ID: idRegistries, Sentence: "no agent manifest has a registry of an old type",
		Broken: "a manifest has a separate registry", Want: "one registry, under capabilities"},
	{ID: idRealizes, Sentence: "each channel declares a capability", Broken: "a channel declares no capability",
		Want: "at least one id"},
	{ID: idExcluded, Sentence: "no channel exposes a capability that excludes it",
		Broken: "a channel exposes a capability that excludes it",
		Want:   "capabilities whose exposure.channels are absent or include the channel, and whose scope is not internal"},
	{ID: idCLI, Sentence: "the exemplar includes a CLI adapter", Broken: "the exemplar includes no CLI adapter",
		Want: "cap.cli.adapter of the substrate transport, exposed by the channel cli"},
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
