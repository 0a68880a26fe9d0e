package capsuite

import (
	"strings"

	"github.com/capconform/capconform/spec/spelling"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/cap/judge"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// manifestSentences are the sentences of the rules that apply to manifests in answers and in files.
var manifestSentences = map[string]string{
	"the version of each manifest follows semantic versioning":          idVersion,
	"the kind of each manifest is tool or skill":                        idKind,
	"each member of each manifest has its printed type":                 idTypes,
	"the input schema of each manifest is present and is a JSON Schema": idInput,
	"each manifest declares an output schema":                           idOutput,
	"no manifest of a tool has a prompt template or a resource":         idTool,
}

// judgeManifest judges one manifest by itself.
func (r *reading) judgeManifest(set *rule.Set, m manifestDocument) {
	if m.Manifest == nil {
		r.Breach(idTypes, m.file, m.node, "a manifest is an object; this is %s", m.node.Kind)
		return
	}
	judge.JudgeManifest(set, m.Manifest, func(sentence string, b verdict.Breach) {
		if id := manifestSentences[sentence]; id != "" {
			r.defect(id, m, b)
		}
	})
	for member, id := range map[string]string{history.MemberInput: idInput, history.MemberOutput: idTypes} {
		if value := m.node.Get(member); !value.Absent() {
			r.Schema(id, m.file, member+" is", value) // once, or at each place in a schema
		}
	}
	r.judgeShown(m)
}

// defect adds what a rule found in a manifest, except within a schema.
func (r *reading) defect(id string, m manifestDocument, b verdict.Breach) {
	member := strings.TrimPrefix(b.At, "/")
	value := m.node.Get(member)
	if value.Absent() {
		at := m.node
		if value != nil {
			at = value
		}
		r.Breach(id, m.file, at, "%s is %s%s", member, absence(value),
			lint.Misspelt(m.node, member, history.ManifestMembers))
		return
	}
	hint := lint.InQuotes(value)
	switch {
	case member == history.MemberInput, member == history.MemberOutput:
		return
	case member == history.MemberKind && spelling.Distance(strings.ToLower(value.Str()), history.KindTool, 2) < 2:
		hint = `; is "tool" meant?`
	case member == history.MemberKind && spelling.Distance(strings.ToLower(value.Str()), history.KindSkill, 2) < 2:
		hint = `; is "skill" meant?`
	}
	r.Breach(id, m.file, value, "%s, but %s%s", b.Message, jsonvalue.Clip(b.Got), hint)
}

func absence(value *document.Node) string {
	if value == nil {
		return "missing"
	}
	return "null"
}

// judgeCapabilities judges CAP-CAP-01: a Capability has its four members and agrees with its
// manifest.
func (r *reading) judgeCapabilities() {
	known := []string{history.MemberID, history.MemberVersion, history.MemberKind, history.MemberWrapped}
	for _, c := range r.documents {
		if c.form != formCapability {
			continue
		}
		inner := c.node.Get(history.MemberWrapped)
		switch {
		case inner.Absent():
			r.Breach(idWhole, c.file, c.node, "%s is missing%s", history.MemberWrapped,
				lint.Misspelt(c.node, history.MemberWrapped, known))
		case !inner.Is(document.Object):
			r.Breach(idWhole, c.file, inner, "%s is %s and no CapabilityManifest", history.MemberWrapped, inner.Kind)
		}
		for _, name := range []string{history.MemberID, history.MemberVersion, history.MemberKind} {
			if at, message := textDefect(c.node, name, known); message != "" {
				r.Breach(idWhole, c.file, at, "%s", message)
				continue
			}
			outside, inside := c.node.Get(name), inner.Get(name)
			if inside.Is(document.String) && inside.Text != "" && inside.Text != outside.Text {
				r.Breach(idWhole, c.file, inside, "%s is %s in the manifest and %s outside of it, at %d:%d",
					name, jsonvalue.Print(inside.Text), jsonvalue.Print(outside.Text), outside.Line, outside.Column)
			}
		}
	}
}

// judgePairs judges CAP-CAP-02 over all documents: no pair of id and version occurs twice.
func (r *reading) judgePairs() {
	first := map[history.Ref]manifestDocument{}
	for _, m := range r.manifests {
		pair := m.pair()
		before, twice := first[pair]
		switch {
		case pair.ID == "" || pair.Version == "":
		case twice:
			r.Breach(idPair, m.file, m.node, "the pair %s, %s is used again; %s has it already", jsonvalue.Print(pair.ID),
				jsonvalue.Print(pair.Version), before.place())
		default:
			first[pair] = m
		}
	}
	if len(first) == 0 {
		r.LeaveOpen(idPair, "no manifest has both an id and a version to compare")
	}
}
