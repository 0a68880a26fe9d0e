package router

import "github.com/capconform/capconform/suites/acp/sample"

// pairKind states how two packages share their triggers.
type pairKind int

// The kinds of pairs.
const (
	byEither     pairKind = iota // by regular expressions and by keywords
	byExpression                 // by regular expressions only
	byKeyword                    // by keywords only
	byCommands                   // as byEither, and the triggers match every command as well
)

// pair is two packages that share one trigger and have one further trigger each.
type pair struct {
	a, b                      *sample.Package
	sharedWord                string          // a word that the triggers of both match
	preferred, other          *sample.Package // preferred receives the shared word in a new conversation
	unavailable, noPreference error           // why there is no pair, and why no package is preferred
	unreliable                error           // why the shared word does not show which package is active
}

// unusable returns the reason why a pair does not show which package is active.
func (p pair) unusable() error {
	if p.unavailable != nil {
		return p.unavailable
	}
	return p.noPreference
}

// preferredOrEither returns the package that gets the shared word in a new conversation. If no package
// is preferred, it returns the one that is not other.
func (p pair) preferredOrEither() *sample.Package {
	if p.preferred == nil && p.other != nil {
		return p.otherThan(p.other)
	}
	return p.preferred
}

// otherThan returns the other package of a pair.
func (p pair) otherThan(s *sample.Package) *sample.Package {
	if s == p.a {
		return p.b
	}
	return p.a
}
