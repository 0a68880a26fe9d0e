package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// Offer is what a subject showed before the first call of a scenario.
type Offer struct {
	Binding    string
	MCP        bool
	Operations []string // the operations that it offers
	Mapped     []string // the operations that the target file maps
	SuiteTools []string // the tools of this suite
}

// offers reports whether a query is offered, under its own name or a mapped one.
func (o Offer) offers(operation string) bool {
	return slices.Contains(o.Operations, operation) || slices.Contains(o.Mapped, operation)
}

// offersUnknownTool reports whether the subject offers a tool that is not known as a tool of this suite,
// and therefore could be a query under another name.
func (o Offer) offersUnknownTool() bool {
	return slices.ContainsFunc(o.Operations, func(tool string) bool { return !slices.Contains(o.SuiteTools, tool) })
}

// MissingTool returns an error that says that the subject does not offer a query under the expected
// name.
func (o Offer) MissingTool(operation string) error {
	missing := &verdict.Inconclusive{
		Reason: "the service offers no tool " + operation,
		Supply: fmt.Sprintf("if your tool has another name, state it in the target file: bindings: {%s: {tool: NAME}}",
			operation),
	}
	if len(o.Operations) > 0 {
		missing.Supply += "; it offers " + jsonvalue.Clip(strings.Join(o.Operations, ", "))
	}
	return missing
}

// AnswerError returns the reason why an answer to a query cannot be used, nil if it can.
func (o Offer) AnswerError(q *history.Query) error {
	switch {
	case q.Lost != nil:
		return q.AnswerError()
	case q.Outcome == record.NotProvided:
		return o.MissingTool(q.Operation)
	case q.NeedsCredentials:
		return &verdict.Inconclusive{
			Reason: "the service requires credentials for " + q.Operation + ": " + q.Got(),
			Supply: "supply them as headers or variables in the target file, or as arguments in its bindings",
		}
	}
	return nil
}
