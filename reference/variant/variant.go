// Package variant is shared by the variants of all protocols. A variant conforms like the reference
// and does something in another style that the text permits. A suite that reports a failure or a
// warning for a variant is wrong. The variants are in the folder of their protocol's host, and
// package population lists them.
package variant

import (
	"slices"

	"github.com/capconform/capconform/reference"
)

// Variant is the reference in another lawful style.
type Variant struct {
	Name    string // unique, of the form cap-unit-words
	Suite   string
	Allows  []string // the permissions it uses, or the requirements whose reading tolerates it
	Summary string   // what it does, in one sentence
	// Actors are the actors that the target file names, if no other actor is involved in the style.
	// Empty means the actors that the subject shows.
	Actors []string
	// Hinted lists the advice that it does not follow, which is lawful.
	Hinted []string
	// Apply puts the style into the parts of a host. A variant may be applied to many hosts.
	Apply func(parts *reference.Parts)
}

// Ignoring adds advice that the variant does not follow.
func (v Variant) Ignoring(ids ...string) Variant {
	v.Hinted = append(slices.Clone(v.Hinted), ids...)
	return v
}

// AddUndefinedMembers adds members that no text defines.
func AddUndefinedMembers(members map[string]any) {
	members["x_note"] = "an extension"
	members["x_more"] = map[string]any{"nested": []any{1, nil}}
}
