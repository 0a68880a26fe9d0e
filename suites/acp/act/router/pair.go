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

// pair is two packages that share one trigger and have one trigger of their own each.
type pair struct {
	a, b           *sample.Package
	shared         string          // a word that the triggers of both match
	winner, loser  *sample.Package // which of the two gets the shared word in a new conversation
	err, undecided error           // why there is no pair, and why there is no winner
	fickle         error           // why the shared word does not show which package is active
}

// open returns the reason why a pair does not show which package is active.
func (p pair) open() error {
	if p.err != nil {
		return p.err
	}
	return p.undecided
}

// first returns the package that gets the shared word in a new conversation. If there is no winner, it
// returns the one that is not the loser.
func (p pair) first() *sample.Package {
	if p.winner == nil && p.loser != nil {
		return p.other(p.loser)
	}
	return p.winner
}

// other returns the other package of a pair.
func (p pair) other(s *sample.Package) *sample.Package {
	if s == p.a {
		return p.b
	}
	return p.a
}
