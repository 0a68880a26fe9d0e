package rule

import (
	"fmt"
	"reflect"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// openList is a list that may lack elements. Its iteration ends with an unknown element, and what depends on the
// missing ones is unknown. It does not implement traits.Lister, of which CEL expects a size that is known.
type openList struct {
	elements []ref.Val
	open     *types.Unknown
}

// listOf returns a list, which is open unless open is nil.
func listOf(elements []ref.Val, open *types.Unknown) ref.Val {
	if open == nil {
		return types.NewRefValList(adapter{}, elements)
	}
	return &openList{elements, open}
}

// known returns a list of the known elements.
func (l *openList) known() traits.Lister { return types.NewRefValList(adapter{}, l.elements) }

// Add implements traits.Adder.
func (l *openList) Add(other ref.Val) ref.Val {
	switch other := other.(type) {
	case *openList:
		return &openList{append(append([]ref.Val{}, l.elements...), other.elements...),
			types.MergeUnknowns(l.open, other.open)}
	case traits.Lister:
		return &openList{append(append([]ref.Val{}, l.elements...), elementsOf(other)...), l.open}
	}
	return types.MaybeNoSuchOverloadErr(other)
}

func elementsOf(l traits.Lister) []ref.Val {
	var all []ref.Val
	for it := l.Iterator(); it.HasNext() == types.True; {
		all = append(all, it.Next())
	}
	return all
}

// Contains implements traits.Container.
func (l *openList) Contains(value ref.Val) ref.Val {
	if found := l.known().Contains(value); found != types.False {
		return found
	}
	return l.open
}

// Get implements traits.Indexer.
func (l *openList) Get(index ref.Val) ref.Val {
	if i, is := index.(types.Int); is && int(i) >= len(l.elements) {
		return l.open
	}
	return l.known().Get(index)
}

// Fold implements traits.Foldable. CEL reads the first argument, since the list is no traits.Lister.
func (l *openList) Fold(f traits.Folder) {
	for _, one := range append(append([]ref.Val{}, l.elements...), l.open) {
		if !f.FoldEntry(one, one) {
			return
		}
	}
}

// Size implements traits.Sizer.
func (l *openList) Size() ref.Val { return l.open }

// ConvertToNative implements ref.Val.
func (l *openList) ConvertToNative(to reflect.Type) (any, error) {
	return nil, fmt.Errorf("rule: a list that may lack elements is not a %s", to)
}

// ConvertToType implements ref.Val.
func (l *openList) ConvertToType(to ref.Type) ref.Val { return l.known().ConvertToType(to) }

// Equal implements ref.Val.
func (l *openList) Equal(ref.Val) ref.Val { return l.open }

// Type implements ref.Val.
func (l *openList) Type() ref.Type { return types.ListType }

// Value implements ref.Val.
func (l *openList) Value() any { return l }

// callCost is the cost of calls that CEL does not know: those with an open list, whose size it does not see, and those
// of functions that make texts of any length, which cost as much as the text has bytes.
type callCost struct{ makers bool }

// CallCost implements cost.ActualCostEstimator.
func (c callCost) CallCost(_, _ string, args []ref.Val, result ref.Val) *uint64 {
	sum, open := uint64(1), false
	if text, is := result.(types.String); is && c.makers {
		sum, open = uint64(len(text))+1, true
	}
	for _, a := range args {
		if l, is := a.(*openList); is {
			sum, open = sum+uint64(len(l.elements)), true
		}
	}
	if !open {
		return nil
	}
	return &sum
}
