package schemas

import (
	"encoding/json"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	// costBudget bounds one validation, in units of one keyword on one small value: the library
	// takes about a second for it.
	costBudget = 4_000_000
	// costDepth bounds the path through schema and value.
	costDepth = 4_000
)

// costEstimate walks schema and value as the library will, without judging, and counts the steps.
// The library takes no context and cannot be stopped, so the estimate must come first.
type costEstimate struct {
	graph  *graph
	budget int
	digits int // the cost factor of the longest number of the value
}

func (r *costEstimate) apply(s *jsonschema.Schema, v any, depth int) error {
	if s == nil || s.Bool != nil {
		return nil
	}
	n := r.graph.nodes[s]
	if n == nil {
		return nil
	}
	r.budget -= n.weight + cost(v) + n.compare*r.digits + r.unique(s, v)
	if r.budget < 0 {
		return undecidable(ReasonExpansion,
			"schema and value together need more steps than capconform's limit of %d", costBudget)
	}
	if depth > costDepth {
		if r.graph.cyclic {
			return undecidable(ReasonCycle, "the schema refers to itself for the same value")
		}
		return undecidable(ReasonLimit, "schema and value are nested deeper than capconform's limit")
	}
	for _, sub := range n.inPlace {
		if err := r.apply(sub, v, depth+1); err != nil {
			return err
		}
	}
	switch v := v.(type) {
	case map[string]any:
		return r.members(s, v, depth+1)
	case []any:
		return r.items(s, v, depth+1)
	}
	return nil
}

func (r *costEstimate) members(s *jsonschema.Schema, object map[string]any, depth int) error {
	additional, _ := s.AdditionalProperties.(*jsonschema.Schema)
	for name, member := range object {
		if err := r.apply(s.PropertyNames, name, depth); err != nil {
			return err
		}
		sub, declared := s.Properties[name]
		if err := r.apply(sub, member, depth); err != nil {
			return err
		}
		for _, sub := range s.PatternProperties {
			r.budget -= cost(name)
			if err := r.apply(sub, member, depth); err != nil {
				return err
			}
		}
		if declared {
			continue
		}
		for _, sub := range []*jsonschema.Schema{additional, s.UnevaluatedProperties} {
			if err := r.apply(sub, member, depth); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *costEstimate) items(s *jsonschema.Schema, array []any, depth int) error {
	prefix, rest := ItemSchemas(s)
	for i, item := range array {
		subs := []*jsonschema.Schema{s.Contains, s.UnevaluatedItems, rest}
		if i < len(prefix) {
			subs[2] = prefix[i]
		}
		for _, sub := range subs {
			if err := r.apply(sub, item, depth); err != nil {
				return err
			}
		}
	}
	return nil
}

// unique returns the cost of uniqueItems: up to 20 items are compared with each other, more are
// hashed first.
func (r *costEstimate) unique(s *jsonschema.Schema, v any) int {
	array, ok := v.([]any)
	if !ok || !s.UniqueItems {
		return 0
	}
	const compared = 20
	return size(array) * min(len(array), compared) / 2 * r.digits
}

// ItemSchemas returns the subschemas for the first items and for the rest, whichever keywords the
// draft has; rest is nil if the rest is unconstrained or forbidden by a plain false.
func ItemSchemas(s *jsonschema.Schema) (prefix []*jsonschema.Schema, rest *jsonschema.Schema) {
	if s.DraftVersion >= 2020 {
		return s.PrefixItems, s.Items2020
	}
	switch items := s.Items.(type) {
	case *jsonschema.Schema:
		return nil, items
	case []*jsonschema.Schema:
		rest, _ = s.AdditionalItems.(*jsonschema.Schema)
		return items, rest
	}
	return nil, nil
}

// cost returns the cost of a value without its parts.
func cost(v any) int {
	switch v := v.(type) {
	case string:
		return 1 + len(v)/1024
	case json.Number:
		return 1 + len(v)/16
	case []any:
		return 1 + len(v)
	case map[string]any:
		return 1 + len(v)
	}
	return 1
}
