package capsuite

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/lint"
)

// actorUpper is the party that CAP obliges in documents of the layers above it.
const actorUpper = "upper_layer"

// manifestDocument is a manifest, by itself or within a Capability. Its node
// need not be an object: an item of a list of manifests may be anything.
type manifestDocument struct {
	file   string
	node   *document.Node
	listed bool // in a list, which is read as all that its source has
	manifest
}

// inspection is what the suite knows of the documents under examination. All
// files given are taken for those of one source and the layers above it.
type inspection struct {
	profile   suites.Profile
	supports  []string // the members that the Skills system of the source has
	documents []recognised
	manifests []manifestDocument
	claims    []claim
}

// inspectDocuments recognises what is among the documents. It judges nothing.
func inspectDocuments(subject *suites.Subject) (suites.Examination, error) {
	d := &inspection{supports: subject.Supports["skills"]}
	for _, file := range subject.Documents {
		for _, root := range file.Roots {
			d.documents = append(d.documents, recognise(file.Path, root)...)
		}
	}
	for _, r := range d.documents {
		switch r.form.layer() {
		case layerSource:
			d.addManifest(r)
			d.play(actorSource)
		default:
			d.claims = append(d.claims, claimsOf(r)...)
			d.play(actorUpper)
		}
	}
	if len(subject.Actors) > 0 {
		d.profile.Actors = subject.Actors
	}
	return d, nil
}

func (d *inspection) play(actor string) {
	if !slices.Contains(d.profile.Actors, actor) {
		d.profile.Actors = append(d.profile.Actors, actor)
	}
}

func (d *inspection) addManifest(r recognised) {
	node := r.node
	if r.form == formCapability {
		if node = r.node.Get(memberWrapped); !node.Is(document.Object) {
			return // CAP-CAP-01 says so
		}
	}
	members, _ := node.Value().(map[string]any)
	d.manifests = append(d.manifests, manifestDocument{r.file, node, r.listed, members})
}

// The sentences about documents. What they range over stands in tables, and the
// expressions are made from those.
var (
	documentsHold = regexp.MustCompile(`^the documents hold (` + strings.Join(documentKinds(), "|") + `)$`)
	documentsKeep = regexp.MustCompile(`^(` + strings.Join(documentSentences(), "|") + `)$`)
)

func documentKinds() []string { return sortedKeys(documentFilters()) }

// documentFilters are the kinds of documents that a scenario may need.
func documentFilters() map[string]func(*inspection) bool {
	of := func(wanted func(recognised) bool) func(*inspection) bool {
		return func(d *inspection) bool { return slices.ContainsFunc(d.documents, wanted) }
	}
	kind := func(wanted string) func(*inspection) bool {
		return func(d *inspection) bool {
			return slices.ContainsFunc(d.manifests, func(m manifestDocument) bool { return m.manifest[memberKind] == wanted })
		}
	}
	layers := func(wanted ...layer) func(*inspection) bool {
		return of(func(r recognised) bool { return slices.Contains(wanted, r.form.layer()) })
	}
	return map[string]func(*inspection) bool{
		"capabilities":              of(func(r recognised) bool { return r.form == formCapability }),
		"manifests":                 func(d *inspection) bool { return len(d.manifests) > 0 },
		"skills":                    kind(kindSkill),
		"tools":                     kind(kindTool),
		"documents of upper layers": layers(layerHACP, layerAAP, layerUpper),
		"documents of AAP":          layers(layerAAP),
		"documents of HACP":         layers(layerHACP),
		"tasks or references":       layers(layerHACP, layerUpper),
	}
}

func (d *inspection) hold(kind string) error {
	if !documentFilters()[kind](d) {
		return suites.Inapplicable("there are no %s among the documents", kind)
	}
	return nil
}

// Steps implements suites.Examination.
func (d *inspection) Steps(voc suites.Vocabulary, _ *suites.Scenario) {
	voc.Step(documentsHold, d.hold)
	voc.Step(documentsKeep, d.keep)
}

// keep judges all documents by one rule and collects every finding first.
func (d *inspection) keep(sentence string) error {
	rules := documentRules()
	rule := rules[slices.IndexFunc(rules, func(r documentRule) bool { return r.sentence == sentence })]
	findings, err := rule.judge(d)
	if len(findings) == 0 {
		return err
	}
	slices.SortStableFunc(findings, func(a, b reports.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	const shown = 1000
	got := fmt.Sprintf("%d places; the first is %s:%d:%d: %s", len(findings), findings[0].File, findings[0].Line, findings[0].Column, findings[0].Message)
	if len(findings) == 1 {
		_, got, _ = strings.Cut(got, "the first is ")
	}
	return &suites.Violation{Message: rule.broken, Want: rule.want, Got: got, Findings: findings[:min(shown, len(findings))]}
}

// Condition implements suites.Examination. No scenario on documents has one.
func (d *inspection) Condition(kind, name string) error {
	return suites.Undecided("documents have no %s:%s", kind, name)
}

// Control implements suites.Examination: documents always answer.
func (d *inspection) Control(context.Context, driver.Session) error { return nil }

// Profile implements suites.Examination.
func (d *inspection) Profile() suites.Profile { return d.profile }

// findingAt is a finding at a value.
func findingAt(file string, n *document.Node, format string, args ...any) reports.Finding {
	return reports.Finding{File: file, Line: n.Line, Column: n.Column, Message: fmt.Sprintf(format, args...)}
}

// findingOn is a finding at the name of a member.
func findingOn(file string, m document.Member, format string, args ...any) reports.Finding {
	return reports.Finding{File: file, Line: m.Line, Column: m.Column, Message: fmt.Sprintf(format, args...)}
}

// textMember finds what keeps a member from being a string that is not empty.
func textMember(file string, n *document.Node, name string, known []string) (reports.Finding, bool) {
	value := n.Get(name)
	switch {
	case value.Is(document.String) && value.Text != "":
		return reports.Finding{}, false
	case value.Absent():
		return findingAt(file, n, "%s is missing%s", name, lint.Misspelt(n, name, known)), true
	case value.Is(document.String):
		return findingAt(file, value, "%s is empty", name), true
	case value.Is(document.Number):
		return findingAt(file, value, "%s is a number; write it in quotes: %q", name, value.Text), true
	default:
		return findingAt(file, value, "%s is %s and no string", name, value.Kind), true
	}
}
