package defect

import (
	"maps"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

var (
	memberKeys = []string{"breaks", "shape", "optional"}
	faultKeys  = []string{"says", "value"}

	wordStart = regexp.MustCompile(`_|[A-Z]`)
)

// member reads an entry of members. It stands for a row for each fault of the member: it is missing, unless it is
// optional, and each fault of its shape, which is one of the header.
func (l *loader) member(member, entry *yaml.Node, group map[string]*yaml.Node) []*Defect {
	m := l.Members(entry, memberKeys)
	shape := l.shapes[l.Text(m["shape"]).Value]
	if shape == nil {
		l.Fail(entry, "there is no shape %q", l.Text(m["shape"]).Value)
		return nil
	}
	dashed := wordStart.ReplaceAllStringFunc(member.Value, func(c string) string { return "-" + strings.Trim(c, "_") })
	name := l.Text(group["prefix"]).Value + "-" + strings.ToLower(dashed) + "-"
	of := " " + l.Text(group["noun"]).Value + "."
	row := func(fault, summary, key string, edit *yaml.Node) *Defect {
		r := maps.Clone(group)
		r["breaks"], r[key] = m["breaks"], edit
		r["defect"], r["summary"] = scalar(entry, name+fault), scalar(entry, summary+of)
		return l.defect(entry, r)
	}
	var all []*Defect
	if m["optional"] == nil {
		omits := &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{member}}
		all = append(all, row("missing", "Omits "+member.Value+" from", "remove", omits))
	}
	l.pairs(shape, "shapes", func(fault, value *yaml.Node) {
		wrong := l.Members(value, faultKeys)
		sets := &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{member, wrong["value"]}}
		all = append(all, row(fault.Value, "Uses "+l.Text(wrong["says"]).Value+" as "+member.Value+" of", "set", sets))
	})
	return all
}

func scalar(at *yaml.Node, text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: text, Line: at.Line, Column: at.Column}
}
