package router

import "github.com/capconform/capconform/suites/acp/sample"

// pairKind states how two packages share their triggers.
type pairKind int

// The kinds of pairs.
const (
	byEither     pairKind = iota // by regular expressions and by keywords
	byExpression                 // by regular expressions alone
	byKeyword                    // by keywords alone
	byCommands                   // as byEither, and they match every command as well
)

// pair is two packages that share one trigger and have one more each.
type pair struct {
	a, b           *sample.Package
	shared         string          // a word that the triggers of both match
	winner, loser  *sample.Package // of the shared word in a new conversation
	err, undecided error           // why there is no pair, and why nobody wins
	fickle         error           // why the shared word does not show who is active
}

// open returns the reason why a pair does not show which package is active.
func (p pair) open() error {
	if p.err != nil {
		return p.err
	}
	return p.undecided
}

// first returns the one that wins the shared word, if one of the two does.
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
