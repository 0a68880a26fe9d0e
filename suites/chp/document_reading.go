package chpsuite

import (
	"context"
	"hash/maphash"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/judge"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
	"github.com/capconform/capconform/suites/shape"
)

// memberKinds are the kinds that a member of a descriptor stands for.
var memberKinds = map[string]string{
	"capability_uri": heldURIs, "input_schema": "input_schema", "output_schema": "output_schema",
	"invariants": "invariants", "risk": "risk",
	"assurance": "assurance", "owner": "owner, tags or metadata", "tags": "owner, tags or metadata",
	"metadata": "owner, tags or metadata",
}

var formKinds = map[form]string{
	formDescriptor: heldDescriptors, formHost: heldHosts, formEnvelope: heldEnvelopes, formQuery: heldQueries,
	formReplay: heldReplays, formResult: heldResults,
}

// reading is what was learnt from all documents.
type reading struct {
	*lint.Findings
	forms   *judge.Forms
	closed  map[form]closedReading
	seed    maphash.Seed
	queries []*document.Node         // of files that are held whole
	results map[string]*outcomeInLog // by invocation id, of the same
	pairs   map[string]duplicate     // of descriptors that stand by themselves
}

// duplicate is a descriptor that may be equal to another one.
type duplicate struct {
	file  string
	node  *document.Node
	value any
}

func readDocuments(ctx context.Context, files []suites.Document, forms *judge.Forms, closed bool) (*reading, error) {
	r := &reading{
		Findings: lint.NewFindings(), forms: forms, seed: maphash.MakeSeed(),
		results: map[string]*outcomeInLog{}, pairs: map[string]duplicate{},
	}
	if closed {
		var err error
		if r.closed, err = compileClosed(); err != nil {
			return nil, err
		}
	}
	for _, file := range files {
		for _, root := range file.Roots {
			r.foresee(file.Path, root)
		}
	}
	for _, file := range files {
		var err error
		switch {
		case file.Log != nil && Recognises(&file):
			err = r.log(ctx, file.Path, file.Log)
		default:
			for _, root := range file.Roots {
				r.visit(file.Path, root)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	r.judgeOutcomes()
	return r, nil
}

// foresee takes what has to be known before evidence is judged.
func (r *reading) foresee(file string, n *document.Node) {
	switch formOf(n) {
	case formQuery:
		r.queries = append(r.queries, n)
	case formResult:
		r.expect(file, n)
	case formExchange:
		r.foresee(file, n.Get("query"))
	}
}

// visit judges one root that is held.
func (r *reading) visit(file string, n *document.Node) {
	switch f := formOf(n); f {
	case formExchange:
		r.visit(file, n.Get("query"))
		r.visit(file, n.Get("result"))
	case formDescriptor:
		r.descriptor(file, n, r.pairs)
	case formHost:
		r.host(file, n)
		r.descriptors(file, items(n.Get("capabilities")))
	case formDiscovery:
		r.descriptors(file, append(items(n.Get("capabilities")), n.Items...))
	case formEvents, formReplay:
		events := n.Items
		if n.Is(document.Object) {
			events = items(n.Get("events"))
		}
		h := newHistory(r, file, f == formReplay)
		for _, item := range events {
			h.item(item)
		}
		h.head(n)
		h.end()
		if h.wantsAgain() {
			h.secondTime()
			for _, item := range events {
				h.second(item)
			}
		}
	case formEvent:
		e := newEntry(n)
		r.event(file, e)
		newHistory(r, file, false).judgePayload(e)
	default:
		r.single(file, n, f)
	}
}

// single judges an object of which only its members are judged.
func (r *reading) single(file string, n *document.Node, f form) {
	if f == "" {
		return
	}
	if kind := formKinds[f]; kind != "" {
		r.Hold(kind)
	}
	r.members(f, file, n)
	if f == formResult {
		r.denial(file, n.Get("denial"))
		r.closedContext(file, n.Get("correlation"))
	}
	r.closedForm(f, file, n)
}

// shapeOf returns the schema of a form, nil if its members are not judged one by one.
func (r *reading) shapeOf(f form) *shape.Shape {
	return map[form]*shape.Shape{
		formDescriptor: r.forms.Descriptor, formHost: r.forms.Host, formEnvelope: r.forms.Envelope, formEvent: r.forms.Event,
		formReplay: r.forms.Replay, formQuery: r.forms.Query, formResult: r.forms.Result,
	}[f]
}

// members judges the members of a form.
func (r *reading) members(f form, file string, n *document.Node) {
	of := r.shapeOf(f)
	if of == nil {
		return
	}
	for _, p := range of.Parts {
		if !judgedApart[p.Requirement] {
			r.member(p, p.Requirement, file, n)
		}
	}
}

// member judges one member under a requirement.
func (r *reading) member(p shape.Part, id, file string, n *document.Node) {
	value := n.Get(p.Member)
	switch {
	case value.Absent() && p.Given != nil:
	case value == nil:
		r.Breach(id, file, n, "%s is missing", p.Member)
	case value.Absent():
		r.Breach(id, file, value, "%s is null, which is as good as missing", p.Member)
	case len(p.Beside) == 0 && p.Fits(value.Value()):
	default:
		if _, wrong := p.Breaks(some(n, append([]string{p.Member}, p.Beside...)...)); wrong {
			r.wrongPart(p, id, file, value)
		}
	}
}

// wrongPart reports the invalid items of a list that is otherwise valid.
func (r *reading) wrongPart(p shape.Part, id, file string, value *document.Node) {
	wrong := 0
	if p.Fits([]any{}) {
		for _, item := range value.Items {
			if !p.Fits([]any{item.Value()}) {
				wrong++
				r.Breach(id, file, item, "an item of %s is %s; want %s", p.Member, lint.Described(item), p.Want)
			}
		}
	}
	if wrong == 0 {
		r.Breach(id, file, value, "%s is %s; want %s", p.Member, lint.Described(value), p.Want)
	}
}

// denial judges a denial record where there is one.
func (r *reading) denial(file string, n *document.Node) {
	if !n.Is(document.Object) {
		return
	}
	r.Hold(heldDenials)
	for _, p := range r.forms.Denial.Parts {
		r.member(p, p.Requirement, file, n)
	}
}

// host judges a host descriptor without its capabilities.
func (r *reading) host(file string, n *document.Node) {
	r.Hold(heldHosts)
	r.members(formHost, file, n)
	versions, version := some(n, "protocol_version", "supported_versions"), n.Get("protocol_version")
	for _, v := range protocolVersions(versions) {
		r.Declare(v)
	}
	if judge.HidesOldVersion(versions) {
		r.Breach(idSaysOld, file, version, "protocol_version is %s, and supported_versions does not hold 0.1",
			lint.Described(version))
	}
	if evidence := n.Get("evidence"); evidence.Is(document.Object) {
		if !judge.StatesAppendOnly(evidence.Value()) {
			r.Breach(idAppendOnly, file, evidence,
				"append_only is missing: nothing in evidence says whether the store is append-only")
		}
	}
	r.closedForm(formHost, file, n)
}

// descriptors judges those of one list. A pair of id and version names one of them.
func (r *reading) descriptors(file string, items []*document.Node) {
	pairs := map[string]duplicate{}
	for _, item := range items {
		if item.Is(document.Object) { // else CHP-4-05
			r.descriptor(file, item, pairs)
		}
	}
}

func (r *reading) descriptor(file string, n *document.Node, pairs map[string]duplicate) {
	r.Hold(heldDescriptors)
	r.members(formDescriptor, file, n)
	for member, kind := range memberKinds {
		if !n.Get(member).Absent() {
			r.Hold(kind)
		}
	}
	for member, id := range schemaMembers {
		if schema := n.Get(member); !schema.Absent() {
			r.Schema(id, file, member+" is", schema)
		}
	}
	if lacking := judge.NotRecommended(some(n, judge.Recommended...)); len(lacking) > 0 {
		r.Breach(idRecommended, file, n, "the descriptor does without %s", strings.Join(lacking, ", "))
	}
	r.identity(file, n, pairs)
	r.closedForm(formDescriptor, file, n)
}

// identity judges what is made of id and version.
func (r *reading) identity(file string, n *document.Node, pairs map[string]duplicate) {
	want, wrong := r.forms.WrongURI(some(n, "id", "version", "capability_uri"))
	if want == "" {
		return // CHP-3-01 and CHP-3-02
	}
	if uri := n.Get("capability_uri"); wrong {
		r.Breach(idURI, file, uri, "capability_uri is %s; want %s", lint.Described(uri), jsonvalue.Print(want))
	}
	before, twice := pairs[want]
	value := n.Value()
	switch {
	case !twice:
		pairs[want] = duplicate{file, n, value}
	case !jsonvalue.Equal(before.value, value):
		r.Breach(idPair, file, n, "%s is described otherwise at %s:%d:%d", jsonvalue.Print(want), before.file,
			before.node.Line,
			before.node.Column)
	}
}

// scalars returns the members of an object that are neither lists nor objects.
func scalars(n *document.Node) map[string]any {
	members := map[string]any{}
	for _, m := range n.Members {
		if !m.Value.Is(document.Array) && !m.Value.Is(document.Object) {
			members[m.Name] = m.Value.Value()
		}
	}
	return members
}

// some returns members of an object.
func some(n *document.Node, names ...string) map[string]any {
	members := map[string]any{}
	for _, name := range names {
		members[name] = n.Get(name).Value()
	}
	return members
}

// items are those of a list, and none of anything else.
func items(n *document.Node) []*document.Node {
	if n == nil {
		return nil
	}
	return n.Items
}
