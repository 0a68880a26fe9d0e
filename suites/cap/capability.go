package capsuite

import (
	"bytes"
	"encoding/json"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
)

// ref is a CapabilityRef.
type ref struct {
	ID      string `json:"capability_id"`
	Version string `json:"version"`
}

// String prints the pair for a message.
func (r ref) String() string { return r.ID + " " + r.Version }

// capability is one element of the list that can be referred to. The manifest
// is decoded when it is asked for: a source may list 10,000.
type capability struct {
	shop        *instance.Workshop
	raw         json.RawMessage
	id, version string
	kind        string

	compile sync.Once
	known   atomic.Pointer[manifest] // kept in a short list, and once the schemas are compiled: those that are invoked are few
	input   *instance.Template
	output  *instance.Template // nil: not declared
	inErr   error              // why the input schema can't be used
	outErr  error

	experiments atomic.Pointer[experiments]
}

// experiments are what was done with one capability. A capability has none before it is
// described or invoked: each list of a source has up to 10,000 capabilities.
type experiments struct {
	described suites.Memo[lookup]
	next      suites.Memo[lookup] // the second time
	tried     suites.Memo[[]attempt]
	edged     suites.Memo[[]attempt]
	broken    suites.Memo[[]attempt]
	pace      pace
}

// done gives the experiments with a capability, to which the caller may add.
func (c *capability) done() *experiments {
	c.experiments.CompareAndSwap(nil, &experiments{})
	return c.experiments.Load()
}

func (c *capability) ref() ref { return ref{c.id, c.version} }

func (c *capability) manifest() manifest {
	if kept := c.known.Load(); kept != nil {
		return *kept
	}
	return readManifest(c.raw) // it was decoded once already, when it was listed
}

// readManifest decodes a manifest, nil where it is no object.
func readManifest(raw json.RawMessage) manifest {
	value, err := schemas.Decode(raw, schemas.Limits{})
	m, _ := value.(map[string]any)
	if err != nil {
		return nil
	}
	return m
}

// schemas compiles both schemas on first use.
func (c *capability) compiled() *capability {
	c.compile.Do(func() {
		m := c.manifest()
		c.known.Store(&m)
		c.input, c.inErr = compileSchema(c.shop, m, memberInput)
		if m[memberOutput] != nil {
			c.output, c.outErr = compileSchema(c.shop, m, memberOutput)
		}
	})
	return c
}

// lookup is one answer to capability.describe.
type lookup struct {
	asked  ref
	kind   string // how an unlisted reference differs from the listed ones
	random bool   // such that nobody else can have come to it
	answer driver.Answer
	err    error
	kept   manifest // the answer decoded, nil where there are too many to be kept
}

// attempt is one answer to capability.invoke.
type attempt struct {
	asked  ref
	kind   string           // as in lookup
	random bool             // as in lookup
	of     *capability      // nil where the reference is listed by nobody
	input  json.RawMessage  // as sent
	fault  *instance.Sample // nil: the input is sound
	once   bool             // asked whether the source still serves
	edge   string           // at which limit of the schema a sound input is, "" for a plain one
	doubt  string           // why a sound input may be refused all the same, "" if it may not
	answer driver.Answer
	err    error
	result invokeResult
}

// arrived is true where a complete reply came.
func (a attempt) arrived() bool { return a.err == nil }

// judged is true for an answer that is an InvokeResult with an outcome.
func (a attempt) judged() bool {
	return a.arrived() && a.answer.Outcome == driver.Returned && a.result.hasOutcome()
}

func (a attempt) succeeded() bool { return a.judged() && a.result.ok() }

// openQuestion tells an answer that other requirements judge: none at all, a
// promise in place of a result, an operation that is not provided.
func (a attempt) openQuestion() bool {
	return (a.err != nil && !suites.ClosedInFace(a.err)) || a.answer.Outcome == driver.NotProvided || a.result.pending()
}

// outsideContract tells an input that is no object, which invoke does not take
// whatever the input schema is. A source may refuse it in any way.
func outsideContract(input json.RawMessage) bool {
	text := bytes.TrimSpace(input)
	return len(text) > 0 && text[0] != '{'
}

// turnedDown is true for an answer that is no success, in whatever form.
func (a attempt) turnedDown() bool { return !a.succeeded() && !a.openQuestion() }

func (a attempt) notFound() bool { return a.refused() && a.result.code() == codeNotFound }

// invalidInput is true for the refusal of an input that breaks its schema.
func (a attempt) invalidInput() bool { return a.result.code() == codeInvalidInput }

func (a attempt) refused() bool { return a.judged() && a.result.refused() }

// doubted is true for a refusal of an input that a sound host may refuse, though
// it keeps the schema.
func (a attempt) doubted() bool {
	return a.doubt != "" && a.refused() && a.result.code() == codeInvalidInput
}

// takenUp is true for an InvokeResult of a source that knew the reference and took
// the input.
func (a attempt) takenUp() bool {
	return a.judged() && a.result.code() != codeInvalidInput && a.result.code() != codeNotFound
}

// received shows the answer in a message.
func (a attempt) received() string { return suites.Received(a.answer, a.err) }
