package acpsuite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/act/publisher"
	"github.com/capconform/capconform/suites/acp/act/registry"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/judge"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// actorProbe is a call by which an actor is recognised: the subject serves the operation, with any
// answer. No call changes anything: an empty file is not a package, the capability URI was never
// published, and a publication with empty values is invalid.
type actorProbe struct {
	actor     string
	operation driver.Operation
}

// actorProbes returns the calls. A registry is recognised by any of its operations, so that a registry
// without queries is not mistaken for a router.
func actorProbes() []actorProbe {
	unpublished := jsonvalue.Encode(object{history.MemberURI: nobodysURI})
	return []actorProbe{
		{actorPublisher, publisher.NoFile()},
		{actorRegistry, driver.Operation{Name: opEvents, Params: jsonvalue.Encode(object{"since": 0}), List: true}},
		{actorRegistry, driver.Operation{Name: opGet, Params: unpublished}},
		{actorRegistry, registry.NoPublication()},
		{actorIndex,
			driver.Operation{Name: opSearch, Params: jsonvalue.Encode(object{"query_string": "capconform"}), List: true}},
		{actorIndex, driver.Operation{Name: opResolve, Params: unpublished}},
	}
}

// offerOf returns what a subject showed before the first call, for the judgements on indexes.
func offerOf(info driver.Info) judge.Offer {
	o := judge.Offer{Binding: info.Binding, MCP: info.Protocol == "mcp", Operations: info.Operations, Mapped: info.Mapped}
	for _, operation := range operations() {
		o.SuiteTools = append(o.SuiteTools, strings.ReplaceAll(operation, ".", "_"))
	}
	return o
}

// actorsFor returns the actors to examine. An MCP server without operations of ACP is examined as an
// index, so that the report asks for the names of its tools. Any other subject without operations of ACP
// is examined as a router.
func (e *examination) actorsFor(found []string) []string {
	switch {
	case len(e.subject.Actors) > 0:
		return e.subject.Actors
	case len(found) > 0:
		return found
	case e.session.Info().Protocol == "mcp":
		return []string{actorIndex}
	}
	return []string{actorRouter, actorRuntime}
}

// nobodysURI is the URI of a capability that nobody published and no subject has installed.
const nobodysURI = history.CapabilityPrefix + "capconform@1.0.0"

// checkAlive calls operations of the subject's actors until one is answered: a subject that does not
// answer one operation may still be alive. A registry must return its events; any other call may be
// refused.
func (e *examination) checkAlive(ctx context.Context, ask act.CallFunc) error {
	var served []string
	var lost error
	for _, probe := range actorProbes() {
		if !e.playsActor(probe.actor) || slices.Contains(served, probe.actor) {
			continue
		}
		answer, err := ask(ctx, probe.operation)
		if err != nil {
			lost = errors.Join(lost, fmt.Errorf("acpsuite: %w", err))
			continue
		}
		if answer.Outcome == driver.Returned || probe.operation.Name != opEvents && answer.Outcome == driver.Refused {
			return nil
		}
		if answer.Outcome != driver.NotProvided {
			served = append(served, probe.actor)
		}
	}
	return errors.Join(lost, errors.New("acpsuite: the subject answers none of the operations of its actors"))
}

func (e *examination) playsActor(actor string) bool { return slices.Contains(e.profile.Actors, actor) }

// PerformAll implements suites.Provoker.
func (e *examination) PerformAll(ctx context.Context, sc *suites.Scenario) {
	if e.playsActor(actorRouter) || e.playsActor(actorRuntime) {
		act.PerformEach(ctx, sc, e.router.Stimuli())
	}
	for _, of := range []struct {
		actor   string
		stimuli []act.Stimulus
	}{{actorRegistry, e.registry.Stimuli()}, {actorPublisher, e.publisher.Stimuli()}, {actorIndex, e.index.Stimuli()}} {
		if e.playsActor(of.actor) {
			act.PerformEach(ctx, sc, of.stimuli)
		}
	}
}
