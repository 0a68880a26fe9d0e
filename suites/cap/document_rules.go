package capsuite

import (
	_ "embed"
	"sync"

	"github.com/capconform/capconform/suites/lint"
)

// The kinds of documents that a scenario may need.
const (
	kindCapabilities = "capabilities"
	kindManifests    = "manifests"
	kindSkills       = "skills"
	kindTools        = "tools"
	kindAAP          = "documents of AAP"
	kindHACP         = "documents of HACP"
	kindTasks        = "tasks or references"
	kindNames        = "names of capabilities"
	kindReferences   = "references to capabilities"
)

var documentKinds = []string{
	kindCapabilities, kindManifests, kindSkills, kindTools, kindAAP, kindHACP, kindTasks, kindNames, kindReferences,
}

// The requirements on documents.
const (
	idWhole          = "CAP-CAP-01"
	idPair           = "CAP-CAP-02"
	idVersion        = "CAP-CAP-03"
	idKind           = "CAP-CAP-04"
	idTypes          = "CAP-MAN-01"
	idInput          = "CAP-MAN-02"
	idOutput         = "CAP-MAN-03"
	idTool           = "CAP-GRAN-01"
	idSkill          = "CAP-MAN-04"
	idReduction      = "CAP-GRAN-05"
	idShown          = "CAP-MCP-03"
	idReference      = "CAP-REF-02"
	idAlone          = "CAP-REF-04"
	idUpperTransport = "CAP-REF-03"
	idAgentTransport = "CAP-IL-02"
	idCall           = "CAP-IL-03"
)

//go:embed document_rules.yaml
var documentRuleFile []byte

// documentVocabulary reads the rules on documents once: most commands need none.
var documentVocabulary = sync.OnceValue(func() *lint.Vocabulary {
	rules, err := lint.LoadRules(documentRuleFile)
	return lint.NewVocabulary(documentKinds, rules, err)
})
