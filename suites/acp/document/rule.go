package acpdocument

import (
	_ "embed"
	"sync"

	"github.com/capconform/capconform/suites/lint"
)

// The kinds of objects that a scenario may need among the documents.
const (
	kindPackages   = "packages"
	kindSchemas    = "schemas"
	kindPrompts    = "prompts"
	kindTools      = "tools"
	kindBindings   = "tool bindings"
	kindModels     = "LLM requirements"
	kindTriggers   = "triggers"
	kindDrafts     = "drafts"
	kindSignatures = "signatures" // a draft may lack one
	kindUpgrades   = "upgrades"
)

var allKinds = []string{kindPackages, kindSchemas, kindPrompts, kindTools, kindBindings, kindModels, kindTriggers,
	kindDrafts, kindSignatures, kindUpgrades}

// The requirements on packages.
const (
	IDSuffix      = "ACP-ABS-01"
	IDDocument    = "ACP-TERM-01"
	IDUsualSchema = "ACP-TERM-04"
	IDUsualName   = "ACP-TERM-07"
	IDSameName    = "ACP-TERM-08"
	IDMetadata    = "ACP-FILE-01"
	IDSchema      = "ACP-FILE-02"
	IDPrompt      = "ACP-FILE-03"
	IDTools       = "ACP-FILE-04"
	IDBindings    = "ACP-FILE-05"
	IDDialect     = "ACP-FILE-06"
	IDParameters  = "ACP-FILE-07"
	IDToolTwice   = "ACP-FILE-08"
	IDToolName    = "ACP-FILE-09"
	IDUnknownKey  = "ACP-FILE-10"
	IDNotation    = "ACP-FILE-11"
	IDTexts       = "ACP-FILE-12"
	IDURI         = "ACP-FIELD-01"
	IDSchemaURI   = "ACP-FIELD-03"
	IDFixedURI    = "ACP-FIELD-04"
	IDTriggers    = "ACP-FIELD-05"
	IDModels      = "ACP-FIELD-07"
	IDSignature   = "ACP-FIELD-13"
	IDVersion     = "ACP-FIELD-14"
	IDRegex       = "ACP-FIELD-16"
	IDNoTriggers  = "ACP-FIELD-17"
	IDTriggerType = "ACP-FIELD-18"
	IDBothEngines = "ACP-FIELD-19"
	IDDraft       = "ACP-FIELD-20"
	IDTriggerForm = "ACP-FIELD-21"
	IDUnbound     = "ACP-BIND-02"
	IDBoundTool   = "ACP-BIND-03"
	IDBindingType = "ACP-BIND-04"
	IDPlaceholder = "ACP-BIND-20"
	IDBoundState  = "ACP-BIND-21"
	IDCRDT        = "ACP-STATE-10"
	IDPermissions = "ACP-STATE-16"
	IDASM         = "ACP-STATE-17"
	IDCRDTType    = "ACP-STATE-18"
	IDScope       = "ACP-STATE-19"
	IDVerbs       = "ACP-STATE-20"
	IDSchemaRises = "ACP-COMP-02"
	IDSchemaSame  = "ACP-COMP-03"
	IDRises       = "ACP-COMP-04"
)

// declarations lists the built-in tools, each with the requirement that a package must declare it.
var declarations = []struct{ tool, id string }{
	{"state.create", "ACP-STATE-08"}, {"state.update", "ACP-STATE-13"}, {"state.query", "ACP-STATE-14"},
	{"state.delete", "ACP-STATE-15"},
}

//go:embed rules.yaml
var ruleFile []byte

// Vocabulary reads the rules on packages once: most commands need none.
var Vocabulary = sync.OnceValue(func() *lint.Vocabulary {
	rules, err := lint.LoadRules(ruleFile)
	return lint.NewVocabulary(allKinds, rules, err)
})

// statePrefix is the prefix that is reserved for the built-in tools.
const statePrefix = "state."

// verbs returns the built-in tools.
func verbs() []string {
	var all []string
	for _, d := range declarations {
		all = append(all, d.tool)
	}
	return all
}

func declarationIDs() []string {
	var all []string
	for _, d := range declarations {
		all = append(all, d.id)
	}
	return all
}
