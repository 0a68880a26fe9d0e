package text

import (
	"cmp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/part"
)

// invocationKeys are those of invokes: {id: params.name, of: tool, by: name}.
var invocationKeys = []string{"id", "of", "by"}

// fixturePrefix begins the names of what targets have for examinations alone.
const fixturePrefix = "conformance."

// fixtures reads the names of what may be run without permission.
func (r protocolReader) fixtures(n *yaml.Node) {
	if n == nil {
		return
	}
	for _, one := range n.Content {
		if !strings.HasPrefix(one.Value, fixturePrefix) {
			r.Fail(one, "the name of a fixture begins with %s", fixturePrefix)
		}
		r.Fixtures = append(r.Fixtures, one.Value)
	}
}

// invocations reads which operations run something that a list shows. Kinds are known by then.
func (r protocolReader) invocations(n *yaml.Node) {
	r.eachOf(n, func(key, value *yaml.Node) {
		if value.Kind != yaml.MappingNode {
			return
		}
		invokes := r.Members(value, operationKeys)["invokes"]
		if invokes == nil {
			return
		}
		m := r.Members(invokes, invocationKeys)
		id, named := strings.CutPrefix(r.Text(m["id"]).Value, "params.")
		of := r.kindNamed(r.Text(m["of"]).Value)
		op := r.protocol.operation(key.Value)
		switch {
		case !named || id == "" || strings.Contains(id, "."):
			r.Fail(invokes, "invokes needs id, the member of the params that names what is run, such as params.name")
		case of == nil:
			r.Fail(invokes, "invokes needs of, a kind%s", part.Meant(r.Text(m["of"]).Value, r.kinds()))
		case of.Each == "":
			r.Fail(invokes, "what is run is an element of a list: the kind %s has no each", of.Name)
		case op.Reads:
			r.Fail(invokes, "an operation that runs something does not read only")
		default:
			op.ID, op.Listed, op.By = id, of.Name, cmp.Or(r.Text(m["by"]).Value, id)
		}
	})
}

// eachOf reads the members of a mapping that was checked before.
func (r protocolReader) eachOf(n *yaml.Node, read func(key, value *yaml.Node)) {
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i < len(n.Content); i += 2 {
		read(n.Content[i], n.Content[i+1])
	}
}

func (p *protocol) kindNamed(name string) *kind {
	for i := range p.Kinds {
		if p.Kinds[i].Name == name {
			return &p.Kinds[i]
		}
	}
	return nil
}

// use returns what a call of an operation that does not only read does: it runs what its params name, or the operation.
// A name that the function unknown made is nobody's.
func (op *operation) use(sent driver.Operation) live.Use {
	if op.ID == "" {
		return live.Use{Invokes: true, ID: op.Name}
	}
	params, _ := schemas.ReadValue(sent.Params).(object)
	id, named := params[op.ID].(string)
	switch {
	case params[op.ID] == nil, named && strings.TrimSpace(id) == "", unknownMethod.MatchString(id): // it names nothing that a target could run
		return live.Use{}
	case !named: // a lenient target may take it for a name
		id = jsonvalue.Print(params[op.ID])
	}
	return live.Use{Invokes: true, ID: id}
}

// offer offers to the gate what a result lists, if an operation runs it.
func (e *examination) offer(of string, result any) {
	for _, op := range e.text.Operations {
		k := e.text.kindNamed(op.Listed)
		if k == nil || k.Of != of {
			continue
		}
		for _, one := range listAt(result, k.Each) {
			members, _ := one.(object)
			id, is := members[op.By].(string)
			if !is || id == "" {
				continue
			}
			text := func(name string) string {
				text, _ := members[name].(string)
				return text
			}
			e.gate.Offer(live.Candidate{ID: id, Name: text("title"), Description: text("description"), Members: members})
			e.addCapability(id)
		}
	}
}

// copies names the listed element to the gate whose name differs from that in the params in its case alone: a target
// that ignores the case runs it.
func (e *examination) copies(op *operation, params object) {
	if id, is := params[op.ID].(string); op.ID != "" && is {
		e.copy(id)
	}
}

// copy names to the gate the listed element of which an id is a copy.
func (e *examination) copy(id string) {
	for _, known := range e.inOtherCase(id) {
		e.gate.Copy(id, known)
	}
}
