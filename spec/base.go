package spec

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// onBase completes a catalogue that names a base: what it lists replaces what the base has, or is added to it. The
// lines become those of the whole catalogue; what the base says has the first.
func (c *Catalogue) onBase(file string, root *yaml.Node, at lines) (lines, error) {
	if c.Base == "" && len(c.Gone) == 0 {
		return at, nil
	}
	base, err := Load(c.Base)
	if err != nil {
		return at, fmt.Errorf("spec: %s:1: base: %w", file, err)
	}
	own, listed := c.Requirements, listNamed(root, "requirements")
	whole := lines{slices.Repeat([]int{1}, len(base.Requirements)), nil}
	c.Requirements, c.base = base.Requirements, base.digest
	for i, r := range own {
		if known := indexOf(c.Requirements, r.ID); known >= 0 {
			if err := listed[i].Decode(&c.Requirements[known]); err != nil {
				return at, located(file, err)
			}
			whole.requirements[known] = at.requirements[i]
			continue
		}
		next := afterSection(c.Requirements, r.Section)
		c.Requirements = slices.Insert(c.Requirements, next, r)
		whole.requirements = slices.Insert(whole.requirements, next, at.requirements[i])
	}
	kept := slices.DeleteFunc(slices.Clone(base.NotNormative), func(w Waiver) bool { return slices.Contains(c.Gone, w.Fingerprint) })
	if len(kept)+len(c.Gone) != len(base.NotNormative) {
		return at, fmt.Errorf("spec: %s:1: gone: each is the fingerprint of another entry of not_normative of the base", file)
	}
	whole.waivers = append(slices.Repeat([]int{1}, len(kept)), at.waivers...)
	c.NotNormative = append(kept, c.NotNormative...)
	c.sketched = base.sketches()
	c.Sketches += "\n" + base.Sketches
	return whole, nil
}

// listNamed returns the entries of a list of a mapping.
func listNamed(root *yaml.Node, name string) []*yaml.Node {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == name {
			return root.Content[i+1].Content
		}
	}
	return nil
}

func indexOf(all []Requirement, id string) int {
	return slices.IndexFunc(all, func(r Requirement) bool { return r.ID == id })
}

// afterSection returns the place behind the last requirement of a section, or the end.
func afterSection(all []Requirement, section string) int {
	for i, r := range slices.Backward(all) {
		if r.Section == section {
			return i + 1
		}
	}
	return len(all)
}
