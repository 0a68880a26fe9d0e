package chpdocument

import (
	"fmt"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/chp/judge"
	"github.com/capconform/capconform/suites/document"
)

// memberKinds are the kinds of documents that a member of a descriptor makes available.
var memberKinds = map[string]string{
	"capability_uri": kindURIs, "input_schema": "input_schema", "output_schema": "output_schema",
	"invariants": "invariants", "risk": "risk",
	"assurance": "assurance", "owner": "owner, tags or metadata", "tags": "owner, tags or metadata",
	"metadata": "owner, tags or metadata",
}

// host judges a host descriptor without its capabilities.
func (o *objects) host(file string, n *document.Node) {
	o.AddKind(kindHosts)
	o.members(formHost, file, n)
	members := membersNamed(n, "protocol_version", "supported_versions", "evidence")
	for _, v := range judge.ProtocolVersions(members) {
		o.Declare(v)
	}
	o.judge(ofHost, file, n, facts{"members": members})
	o.closedForm(formHost, file, n)
}

// descriptors judges the descriptors of one list. A pair of id and version must identify one of
// them.
func (o *objects) descriptors(file string, items []*document.Node) {
	pairs := map[string]facts{}
	for _, item := range items {
		if item.Is(document.Object) { // CHP-4-05 judges any other value
			o.descriptor(file, item, pairs)
		}
	}
}

func (o *objects) descriptor(file string, n *document.Node, pairs map[string]facts) {
	o.AddKind(kindDescriptors)
	o.members(formDescriptor, file, n)
	for member, kind := range memberKinds {
		if !n.Get(member).Absent() {
			o.AddKind(kind)
		}
	}
	for member, id := range schemaMembers {
		if schema := n.Get(member); !schema.Absent() {
			o.Schema(id, file, member+" is", schema)
		}
	}
	members, _ := n.Value().(history.Object)
	pair := history.Pair(members)
	twin := pairs[pair]
	if twin == nil {
		pairs[pair] = facts{"members": members, "place": fmt.Sprintf("at %s:%d:%d", file, n.Line, n.Column)}
	}
	o.judge(ofDescriptor, file, n,
		facts{"members": members, "pair": pair, "twin": twin["members"], "twin_place": twin["place"]})
	o.closedForm(formDescriptor, file, n)
}

// items returns the items of a list, nil for any other value.
func items(n *document.Node) []*document.Node {
	if n == nil {
		return nil
	}
	return n.Items
}
