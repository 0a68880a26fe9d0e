package caphost

import (
	"context"
	"encoding/json"
	"errors"
)

// profileHandlers returns the handlers of the fixture profile (DESIGN section 10).
//
// Three of them are instruments. conformance.counter takes {} and returns
// {"executions": n}, where n is the number of handlers executed so far, without
// instruments. conformance.replace takes {} and returns {"old": ref, "new": ref}: from
// then on the old pair is NOT_FOUND and no longer listed, and the new pair takes its
// place with another input_schema. It may be called again: the two versions of
// conformance.replaceable alternate, so an even number of calls leaves the source
// unchanged. Version 1.0.0 takes {"number": integer}, 2.0.0 takes {"word": string}, and
// neither accepts the input of the other. For conformance.attach see Attach.
func profileHandlers() map[Ref]Handler {
	return map[Ref]Handler{
		{"conformance.echo", "1.0.0"}:       echo("message"),
		{"conformance.echo", "2.0.0"}:       echo("text"),
		{"conformance.fail", "1.0.0"}:       fail,
		{"conformance.slow", "1.0.0"}:       slow,
		{"conformance.restricted", "1.0.0"}: empty,
		{"conformance.malformed", "1.0.0"}:  malformed,
		{"conformance.brief", "1.0.0"}:      brief,
		{"conformance.counter", "1.0.0"}:    counter,
		{"conformance.replace", "1.0.0"}:    replace,
		{Attach, "1.0.0"}:                   attach,
		{Replaceable, "1.0.0"}:              same,
		{Replaceable, "2.0.0"}:              same,
	}
}

func echo(member string) Handler {
	return func(_ context.Context, _ *Host, input map[string]any) (any, error) {
		repeat, given := input["repeat"]
		if !given {
			repeat = json.Number("1")
		}
		return map[string]any{member: input[member], "repeat": repeat}, nil
	}
}

func fail(context.Context, *Host, map[string]any) (any, error) {
	return nil, errors.New("this capability always fails")
}

// slow waits until its deadline passes.
func slow(ctx context.Context, _ *Host, _ map[string]any) (any, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func empty(context.Context, *Host, map[string]any) (any, error) {
	return map[string]any{}, nil
}

func malformed(context.Context, *Host, map[string]any) (any, error) {
	return map[string]any{"count": "many"}, nil
}

func brief(_ context.Context, _ *Host, input map[string]any) (any, error) {
	topic, _ := input["topic"].(string)
	return map[string]any{"brief": topic + " matters. It has been said in few words."}, nil
}

func counter(_ context.Context, host *Host, _ map[string]any) (any, error) {
	return map[string]any{"executions": host.Executions()}, nil
}

func replace(_ context.Context, host *Host, _ map[string]any) (any, error) {
	old, next, err := host.exchange()
	if err != nil {
		return nil, err
	}
	return map[string]any{"old": old.JSON(), "new": next.JSON()}, nil
}

func same(_ context.Context, _ *Host, input map[string]any) (any, error) {
	return input, nil
}
