package capsuite

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/cap/judge"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// claim is a value of an upper-layer document at a place that names a capability.
type claim struct {
	file   string
	form   form
	path   string         // member names joined by dots, for messages
	holder *document.Node // the object whose member it is, nil for a reference by itself
	value  *document.Node
	list   bool // a list is required here, and value is not a list
	inList bool // value is, or should be, an item of a list
}

// capabilityPaths returns the members that refer to capabilities, by form. A document may be a
// whole task, its spec, or its constraints.
func capabilityPaths(f form) (lists, singles [][]string) {
	switch f {
	case formAgent, formCard:
		lists = append(lists, []string{"capabilities"})
	case formQuery, formDelegation:
		singles = append(singles, []string{"capability"})
	}
	const constraint = "must_use_capabilities"
	return append(lists, []string{"spec", "constraints", constraint}, []string{"spec", constraint},
		[]string{"constraints", constraint}, []string{constraint}), singles
}

// claimsOf finds the capabilities that a document names. A null or absent value names none.
func claimsOf(r recognised) []claim {
	if r.form == formReference {
		return []claim{{file: r.file, form: r.form, path: "the document", value: r.node}}
	}
	var claims []claim
	lists, singles := capabilityPaths(r.form)
	for _, path := range slices.Concat(lists, singles) {
		holder := r.node
		if len(path) > 1 {
			holder = r.node.Get(path[:len(path)-1]...)
		}
		value := holder.Get(path[len(path)-1])
		if value.Absent() {
			continue
		}
		c := claim{file: r.file, form: r.form, path: strings.Join(path, "."), holder: holder, value: value}
		single := len(singles) > 0 && slices.Equal(path, singles[0])
		c.inList = !single
		if single || !value.Is(document.Array) {
			c.list = !single
			claims = append(claims, c)
			continue
		}
		for i, item := range value.Items {
			if !item.Absent() {
				c.value = item
				c.path = fmt.Sprintf("%s[%d]", strings.Join(path, "."), i)
				claims = append(claims, c)
			}
		}
	}
	return claims
}

// external reports whether a claim is an opaque reference of another system: an id with a
// namespace or a kind. CAP does not apply to it.
func (c claim) external() bool {
	return !c.value.Has("capability_id") && c.value.Has("id") && c.value.Has("namespace", "kind")
}

// complete reports whether a claim is a reference with both members, whatever else it contains.
func (c claim) complete() bool {
	return !c.list && c.value.Get("capability_id").Str() != "" && c.value.Get("version").Str() != ""
}

// transportOnly reports whether an object contains transport details in place of a reference. It
// is judged as transport, and not as a reference that lacks both members: that is one mistake,
// not two.
func transportOnly(n *document.Node) bool {
	if !n.Is(document.Object) || !n.Get("capability_id").Absent() || !n.Get("version").Absent() {
		return false
	}
	return slices.ContainsFunc(n.Members, func(m document.Member) bool {
		return !m.Value.Absent() && judge.TransportDetail(m.Name, m.Value.Value()) != 0
	})
}

// judgeReferences judges every value that names a capability.
func (r *reading) judgeReferences() {
	complete := false
	var holders []*document.Node // that were judged
	for _, c := range r.claims {
		if c.external() {
			continue
		}
		r.AddKind(kindNames)
		if c.list || !transportOnly(c.value) {
			r.AddKind(kindReferences)
			r.judgeReference(c)
		}
		if c.complete() {
			complete = true
			if !slices.Contains(holders, c.holder) {
				holders = append(holders, c.holder)
				r.judgeOtherNames(c)
			}
		}
	}
	if r.judgeRequiredTools(holders) {
		complete = true
	}
	if !complete {
		r.LeaveOpen(idAlone, "no capability is named by a complete reference, so there is none to examine")
	}
}

// judgeReference judges CAP-REF-02: it adds each defect of a reference.
func (r *reading) judgeReference(c claim) {
	switch {
	case c.list:
		r.Breach(idReference, c.file, c.value, "%s is %s; a list of CapabilityRef belongs here, such as [%s]", c.path,
			c.value.Kind, suggestedRef(c.value.Str()))
		return
	case !c.value.Is(document.Object):
		r.Breach(idReference, c.file, c.value, "%s is %s and not a CapabilityRef; write %s", c.path, c.value.Kind,
			suggestedRef(c.value.Str()))
		return
	}
	for _, name := range refMembers {
		if at, message := textDefect(c.value, name, refMembers); message != "" {
			r.Breach(idReference, c.file, at, "%s: %s", c.path, message)
		}
	}
}

// otherNames are members that name a capability as a tool or a skill, beside the one that contains
// references.
var otherNames = regexp.MustCompile(`(?i)^(((must_use|required)_(mcp_)?(tool|skill)s?)|(mcp_)?tools|mcp_tool|(tool|skill)_(name|id))$`)

// requiredTools are members of constraints that require a tool or a skill by its name.
var requiredTools = regexp.MustCompile(`(?i)^must_use_(mcp_)?(tool|skill)s?$`)

// judgeRequiredTools judges CAP-REF-04 for constraints that contain no reference at all: they name
// capabilities only in another way. It reports whether there were such constraints.
func (r *reading) judgeRequiredTools(judged []*document.Node) bool {
	found := false
	for _, d := range r.documents {
		if d.form.layer() != layerHACP {
			continue
		}
		for _, holder := range []*document.Node{d.node, d.node.Get("constraints"), d.node.Get("spec"),
			d.node.Get("spec", "constraints")} {
			if holder == nil || slices.Contains(judged, holder) {
				continue
			}
			for _, m := range holder.Members {
				if requiredTools.MatchString(judge.SnakeCase(m.Name)) && namesAny(m.Value) {
					found = true
					r.AddKind(kindNames)
					r.Breach(idAlone, d.file, lint.NameOf(&m), "%s names a capability, and only a CapabilityRef may: "+
						"name it under must_use_capabilities", jsonvalue.Print(m.Name))
				}
			}
		}
	}
	return found
}

// namesAny reports whether a value is, or contains, a string that is not blank, or an object with such a
// name.
func namesAny(value *document.Node) bool {
	return slices.ContainsFunc(append(slices.Clone(value.Items), value), func(n *document.Node) bool {
		return strings.TrimSpace(n.Str()) != "" ||
			slices.ContainsFunc(nameMembers, func(name string) bool { return strings.TrimSpace(n.Get(name).Str()) != "" })
	})
}

// nameMembers are the members by which an object names a tool or a skill.
var nameMembers = []string{"name", "id", "tool", "skill"}

// partsOfSkill are members beside the tools of a skill (CAP, Tool and Skill Granularity): there,
// tools are parts of the skill and not references.
var partsOfSkill = append([]string{"instructions", "prompt_instructions", "permissions"}, judge.SkillMembers...)

// judgeOtherNames judges CAP-REF-04: no member beside a reference names a capability in another
// way. Custom members of a reference may have any name and value.
func (r *reading) judgeOtherNames(c claim) {
	if c.holder == nil {
		return
	}
	skill := c.holder.Has(partsOfSkill...)
	for _, m := range c.holder.Members {
		part := skill && strings.EqualFold(m.Name, "tools")
		if otherNames.MatchString(judge.SnakeCase(m.Name)) && namesAny(m.Value) && !part {
			r.Breach(idAlone, c.file, lint.NameOf(&m),
				"%s names a capability, and only a CapabilityRef may: name it under %s",
				jsonvalue.Print(m.Name), c.path)
		}
	}
}

var refMembers = []string{"capability_id", "version"}

var joinedVersion = regexp.MustCompile(`^(.+)[@:]([vV]?[0-9][^@:/]*)$`)

// suggestedRef returns the right form of a reference. It splits an id and a version in one string.
func suggestedRef(text string) string {
	id, version := text, "1.0.0"
	if parts := joinedVersion.FindStringSubmatch(text); parts != nil {
		id, version = parts[1], strings.TrimLeft(parts[2], "vV")
	}
	if id == "" {
		id = "cap:example"
	}
	return fmt.Sprintf(`{"capability_id": %s, "version": %s}`, jsonvalue.Print(id), jsonvalue.Print(version))
}
