package acpsuite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// mappings are what the target file says where a result has other names than the examples.
var mappings = map[string]string{
	opResolve: "'.body | {acp_metadata: .MEMBER, ipfs_cid: .MEMBER}'",
	opSearch:  "'[.body.MEMBER[] | {acp_metadata: .MEMBER, ipfs_cid: .MEMBER}]'",
}

// otherNames leaves the question open where a result holds a value, and the member under
// which the examples of the text have it is absent: the names of members are examples.
// Nil means that the result is judged, which it always is where the target file maps it.
func (w *world) otherNames(operation string, k lookup, absent bool, values ...string) error {
	result := string(k.answer.Result)
	holds := slices.ContainsFunc(values, func(value string) bool { return value != "" && strings.Contains(result, value) })
	if !absent || !holds || k.answer.Outcome != driver.Returned || slices.Contains(w.session.Info().Mapped, operation) {
		return nil
	}
	w.sc.Cite(k.answer, nil)
	return &suites.Inconclusive{
		Reason: "the result holds what was asked for under other names than those of the examples: " + suites.Received(k.answer, nil),
		Supply: fmt.Sprintf("map its members in the target file: bindings: {%s: {tool: NAME, response: %s}}", operation, mappings[operation]),
	}
}

// valuesOf are the ids and the CIDs of the versions of a capability that are known to be listed.
func (w *world) valuesOf(of entry) []string {
	var all []string
	for _, n := range w.index.listing.entries {
		if n.name == of.name {
			all = append(all, n.uri, n.cid)
		}
	}
	return all
}
