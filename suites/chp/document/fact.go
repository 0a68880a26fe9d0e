package chpdocument

import (
	"fmt"
	"sync"

	"github.com/capconform/capconform/suites/chp/judge"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// facts are what a reading knows of an object. A reading gives them to the rules as soon as it knows what a rule needs,
// and keeps none.
type facts = rule.Facts

// The kinds of objects that rules are about.
const (
	ofDescriptor = "descriptor"
	ofHost       = "host_descriptor"
	ofEvent      = "event"
	ofEnding     = "ending" // a closing event
	ofReplay     = "replay"
	ofReplayed   = "replayed_event"
	ofContext    = "context" // of a correlation
)

var vocabulary = sync.OnceValue(func() *rule.Vocabulary {
	return rule.NewVocabulary([]*rule.Kind{
		rule.KindOfFacts(ofDescriptor, "members", "pair", "twin", "twin_place"),
		rule.KindOfFacts(ofHost, "members"),
		rule.KindOfFacts(ofEvent, "id", "id_seen_at", "sequence", "previous_sequence", "continues_invocation"),
		rule.KindOfFacts(ofEnding, "type", "place", "lacks_start", "repeats_end", "follows_start", "claimed_outcome",
			"outcome_of_type", "outcome_of_result", "type_for_result", "has_type_for_result"),
		rule.KindOfFacts(ofReplay, "event_count", "events", "is_part"),
		rule.KindOfFacts(ofReplayed, "correlation_id", "replay_id", "context_contains_replay_id"),
		rule.KindOfFacts(ofContext, "environment"),
	}, judge.Functions()...)
})

// judge judges an object by the rules of its kind. The node is where it is, or nil for an object that is unknown.
func (o *objects) judge(kind, file string, n *document.Node, f facts) {
	o.rules.JudgeFacts(vocabulary(), kind, f, func(r *rule.Rule, v verdict.Verdict) { o.Add(r.String(), file, n, v) })
}

// open returns a gap: what cannot be known from the documents.
func open(format string, args ...any) *rule.Gap {
	return &rule.Gap{Reason: verdict.Undecided(format, args...), Blocks: true}
}

// limit returns a gap: what is not known because of a limit of the reading.
func limit(format string, args ...any) *rule.Gap {
	return &rule.Gap{Reason: &verdict.LimitError{Reason: fmt.Sprintf(format, args...)}, Blocks: true}
}

// unread returns the gap of a part that cannot be read.
func unread(part string, err *document.Error) *rule.Gap {
	if err.Kind == document.Limit {
		return limit("%s can't be read: %v", part, err)
	}
	return open("%s can't be read: %v", part, err)
}
