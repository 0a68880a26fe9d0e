package history

import (
	"encoding/json"
	"strings"

	"github.com/capconform/capconform/suites/jsonvalue"
)

// BecameOf finds the capability that a tool or a skill became that was attached since an
// earlier list, nil if there is none. Its id is the host's to choose, so it is found by its
// name, which nobody else has, or by its schema.
func (l *Listing) BecameOf(before *Listing, name string, schema json.RawMessage) *Sheet {
	plain := FoldedName(name)
	var bySchema *Sheet
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

// FoldedName leaves what is left of a name in another spelling.
func FoldedName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(name))
}
