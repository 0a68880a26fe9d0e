package capsuite

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
)

// The thin adapter that CAP describes for MCP ("Reference Mappings"): tools/list is list, list
// plus filter is describe, tools/call is invoke. The driver only transports these two operations;
// this code translates them into CAP.

// The modes of the target file (mcp.mode).
const (
	modeAdapter    = "adapter"
	modeOperations = "operations"
)

// plainServer reports whether an MCP server offers tools that are not the operations of CAP.
func plainServer(info driver.Info, subject *suites.Subject) bool {
	if info.Protocol != "mcp" || subject.Adapter.Mode == modeOperations {
		return false
	}
	operations := slices.ContainsFunc([]string{history.OpList, history.OpDescribe, history.OpInvoke},
		func(op string) bool {
			return slices.Contains(info.Operations, strings.ReplaceAll(op, ".", "_"))
		})
	return subject.Adapter.Mode == modeAdapter || !operations
}

// adapt puts the adapter between suite and server.
func (e *examination) adapt(session driver.Session) {
	version := cmp.Or(e.subject.Adapter.Version, session.Info().Version, unversioned)
	e.tools = &toolSession{Session: session, version: version, cache: e.cache}
	e.session = e.gate.Adapted(e.tools)
	e.profile.Session = e.session
	e.profile.Binding = "tools of a plain MCP server as capabilities, by the thin adapter of CAP; " +
		session.Info().Binding
	e.profile.Beyond = notExpressibleByTools()
	e.profile.Provided = providedByAdapter()
	if e.subject.Adapter.Version != "" || session.Info().Version == "" {
		e.profile.Provided["CAP-CAP-03"] = "the adapter gives every capability the version " + version
	} else {
		e.addNote("the version of every capability is the server's own, %s", version)
	}
}

// unversioned is the version for a server that does not report one.
const unversioned = "0.0.0"

// notExpressibleByTools returns the requirements that MCP cannot express.
func notExpressibleByTools() map[string]string {
	return map[string]string{
		"CAP-ERR-03": reports.NotExpressible("a plain MCP server has no way to answer PERMISSION_DENIED"),
		"CAP-ERR-05": reports.NotExpressible("a plain MCP server has no way to answer TIMEOUT"),
	}
}

// providedByAdapter returns the requirements that the adapter satisfies for every server that answers
// tools/list and tools/call.
func providedByAdapter() map[string]string {
	return map[string]string{
		"CAP-CAP-04":  "the adapter lists every tool with the kind tool",
		"CAP-REF-01":  "the adapter takes the reference and calls the tool by its name",
		"CAP-GRAN-01": "the adapter lists a tool without prompt template and resources",
		"CAP-MAN-06":  "the adapter calls a tool with only its input",
		"CAP-DIS-01":  "the adapter makes manifests of the tools that the server lists",
		"CAP-DIS-02":  "the adapter describes a tool from the server's list",
		"CAP-DIS-03":  "the adapter provides the three operations",
		"CAP-DIS-04":  "the adapter decides NOT_FOUND from the server's list",
		"CAP-DIS-07":  "the adapter describes a tool from the server's list",
		"CAP-INV-01":  "the adapter makes the InvokeResult",
		"CAP-ERR-01":  "the adapter decides NOT_FOUND from the server's list",
		"CAP-ERR-02":  "the adapter answers INVALID_INPUT only for invalid inputs",
		"CAP-ERR-06":  "the adapter chooses the code",
	}
}

// toolSession is a Session that performs the operations of CAP with the two operations of MCP.
type toolSession struct {
	driver.Session
	version string
	cache   *instance.Cache
	latest  latestTools
}

// Call implements driver.Session.
func (s *toolSession) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	var answer driver.Answer
	var err error
	switch op.Name {
	case history.OpList:
		answer, err = s.list(ctx)
	case history.OpDescribe:
		answer, err = s.describe(ctx, op)
	case history.OpInvoke:
		answer, err = s.invoke(ctx, op)
	default:
		return s.Session.Call(ctx, op)
	}
	var lost *driver.CallError
	if errors.As(err, &lost) {
		lost.Exchange.Operation = op.Name + " by " + lost.Exchange.Operation
	}
	if answer.Exchange.Operation != "" {
		answer.Exchange.Operation = op.Name + " by " + answer.Exchange.Operation
	} else {
		answer.Exchange = driver.Begin(op, op.Params).Complete(answer.Result, driver.Secrets{})
	}
	return answer, err
}

func refusal(code, message string) driver.Answer {
	return driver.Answer{
		Outcome: driver.Refused, Provided: "the adapter",
		Error: &driver.ProtocolError{Code: code, Message: message},
	}
}
