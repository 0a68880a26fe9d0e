package chpdocument

import (
	"strings"

	"github.com/capconform/capconform/suites/chp/judge"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// memberKinds are the kinds of documents that a member of a descriptor makes available.
var memberKinds = map[string]string{
	"capability_uri": kindURIs, "input_schema": "input_schema", "output_schema": "output_schema",
	"invariants": "invariants", "risk": "risk",
	"assurance": "assurance", "owner": "owner, tags or metadata", "tags": "owner, tags or metadata",
	"metadata": "owner, tags or metadata",
}

// duplicate is a descriptor that may be equal to another one.
type duplicate struct {
	file  string
	node  *document.Node
	value any
}

// host judges a host descriptor without its capabilities.
func (o *objects) host(file string, n *document.Node) {
	o.AddKind(kindHosts)
	o.members(formHost, file, n)
	versions, version := membersNamed(n, "protocol_version", "supported_versions"), n.Get("protocol_version")
	for _, v := range judge.ProtocolVersions(versions) {
		o.Declare(v)
	}
	if judge.HidesOldVersion(versions) {
		o.Breach(idSaysOld, file, version, "protocol_version is %s, and supported_versions does not contain 0.1",
			lint.Described(version))
	}
	if evidence := n.Get("evidence"); evidence.Is(document.Object) {
		if !judge.StatesAppendOnly(evidence.Value()) {
			o.Breach(idAppendOnly, file, evidence,
				"append_only is missing: nothing in evidence states whether the store is append-only")
		}
	}
	o.closedForm(formHost, file, n)
}

// descriptors judges the descriptors of one list. A pair of id and version must identify one of
// them.
func (o *objects) descriptors(file string, items []*document.Node) {
	pairs := map[string]duplicate{}
	for _, item := range items {
		if item.Is(document.Object) { // CHP-4-05 judges any other value
			o.descriptor(file, item, pairs)
		}
	}
}

func (o *objects) descriptor(file string, n *document.Node, pairs map[string]duplicate) {
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
	if lacking := judge.NotRecommended(membersNamed(n, judge.Recommended...)); len(lacking) > 0 {
		o.Breach(idRecommended, file, n, "the descriptor lacks %s", strings.Join(lacking, ", "))
	}
	o.identity(file, n, pairs)
	o.closedForm(formDescriptor, file, n)
}

// identity judges the members that are derived from id and version.
func (o *objects) identity(file string, n *document.Node, pairs map[string]duplicate) {
	want, wrong := o.forms.WrongURI(membersNamed(n, "id", "version", "capability_uri"))
	if want == "" {
		return // CHP-3-01 and CHP-3-02 judge that
	}
	if uri := n.Get("capability_uri"); wrong {
		o.Breach(idURI, file, uri, "capability_uri is %s; want %s", lint.Described(uri), jsonvalue.Print(want))
	}
	before, twice := pairs[want]
	value := n.Value()
	switch {
	case !twice:
		pairs[want] = duplicate{file, n, value}
	case !jsonvalue.Equal(before.value, value):
		o.Breach(idPair, file, n, "%s has a different descriptor at %s:%d:%d", jsonvalue.Print(want), before.file,
			before.node.Line,
			before.node.Column)
	}
}

// items returns the items of a list, nil for any other value.
func items(n *document.Node) []*document.Node {
	if n == nil {
		return nil
	}
	return n.Items
}
