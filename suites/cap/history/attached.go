package history

import (
	"encoding/json"
	"strings"

	"github.com/capconform/capconform/suites/jsonvalue"
)

// FindAttached finds the capability that the host made from a tool or a skill since an earlier list,
// nil if there is none. The host chooses the id, so the capability is found by its name, which is
// unique, or by its schema.
func (l *Listing) FindAttached(before *Listing, name string, schema json.RawMessage) *RawManifest {
	plain := FoldedName(name)
	var bySchema *RawManifest
	for _, s := range l.Capabilities {
		if before.Find(s.Ref()) != nil {
			continue
		}
		m := s.Manifest()
		title, _ := m.Text(MemberName)
		if strings.Contains(FoldedName(s.ID), plain) || strings.Contains(FoldedName(title), plain) {
			return s
		}
		if schema != nil && jsonvalue.Equal(m[MemberInput], Value(schema)) {
			bySchema = s
		}
	}
	return bySchema
}

// FoldedName returns what different spellings of a name have in common.
func FoldedName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}
