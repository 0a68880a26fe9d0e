package capvariant_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/caphost"
	capvariant "github.com/capconform/capconform/reference/caphost/variant"
)

type asked struct {
	t    *testing.T
	host *reference.Host
	all  []string
}

func newAsked(t *testing.T, alter func(*reference.Parts)) *asked {
	t.Helper()
	host, err := reference.New(reference.Options{Alter: func(parts *reference.Parts) {
		parts.CAP.Now = func() time.Time { return time.Time{} }
		if alter != nil {
			alter(parts)
		}
	}})
	require.NoError(t, err)
	return &asked{t: t, host: host}
}

// ask returns the decoded reply to one operation.
func (a *asked) ask(method string, params any) map[string]any {
	a.t.Helper()
	body, err := json.Marshal(params)
	require.NoError(a.t, err)
	reply := a.host.Handle(context.Background(), fmt.Appendf(nil,
		`{"jsonrpc":"2.0","id":1,"method":"capability.%s","params":%s}`, method, body))
	a.all = append(a.all, string(reply))
	var members map[string]any
	require.NoError(a.t, json.Unmarshal(reply, &members), "%s", reply)
	require.NotContains(a.t, string(reply), "\n", "a line break ends a message over stdio")
	return members
}

func (a *asked) list() []any {
	result := a.ask("list", map[string]any{})["result"]
	if wrapper, isObject := result.(map[string]any); isObject {
		result = wrapper["capabilities"]
	}
	manifests, _ := result.([]any)
	return manifests
}

func ref(manifest map[string]any) map[string]any {
	return map[string]any{"capability_id": manifest["capability_id"], "version": manifest["version"]}
}

// probe calls everything that a variant may change.
func (a *asked) probe() {
	for range 3 {
		a.list()
	}
	for _, invoke := range []struct{ id, input string }{
		{"colour.compute_mix", `{"first":"ff0000","second":"0000ff"}`}, {"colour.compute_mix", `{"first":1}`},
		{"colour.compute_mix", `{"type":1}`},
		{"no.such", `{}`}, {"conformance.restricted", `{"x":1}`}, {"conformance.malformed", `{}`},
		{"conformance.counter", `{}`}, {"conformance.counter", `{}`},
	} {
		a.ask("describe", map[string]any{"capability_id": invoke.id, "version": "1.0.0"})
		a.ask("invoke", map[string]any{"ref": map[string]any{"capability_id": invoke.id, "version": "1.0.0"},
			"input": json.RawMessage(invoke.input)})
	}
	a.ask("invoke", map[string]any{"ref": "colour.compute_mix@1.0.0", "input": map[string]any{}})
	a.ask("invoke", map[string]any{"ref": map[string]any{"capability_id": "colour.compute_mix"},
		"input": map[string]any{}})
	a.ask("invoke", map[string]any{"ref": map[string]any{"capability_id": "colour.compute_mix", "version": "1.0.0"},
		"input": "ff0000"})
	a.ask("invoke", map[string]any{"ref": map[string]any{"capability_id": "conformance.replace", "version": "1.0.0"},
		"input": map[string]any{}})
	a.ask("describe", map[string]any{"capability_id": caphost.Replaceable, "version": "1.0.0"})
	a.list()
}

// Some variants return the same bytes as the reference: one answers later, one from a cache, two change nothing
// before many calls were made, four before something is attached.
var alike = []string{
	"cap-asynchronous", "cap-list-cached", "cap-restless-rewriting", "cap-restless-callers",
	"cap-attach-other-ids", "cap-attach-schema-respelled", "cap-attach-prompt-framed", "cap-attach-needs-approval",
}

func TestEveryVariantDiffersFromTheReference(t *testing.T) {
	original := newAsked(t, nil)
	original.probe()
	for _, v := range capvariant.All() {
		t.Run(v.Name, func(t *testing.T) {
			styled := newAsked(t, v.Apply)
			styled.probe()
			if cmp.Equal(original.all, styled.all) != slices.Contains(alike, v.Name) {
				t.Errorf(
					"answers equal those of the reference: %v, want %v",
					!slices.Contains(alike, v.Name),
					slices.Contains(alike, v.Name),
				)
			}
		})
	}
}

// changing are the variants that change their capabilities during the run.
var changing = []string{
	"cap-restless-visitor", "cap-restless-returning", "cap-restless-releases", "cap-restless-upgrade",
	"cap-restless-retirement",
	"cap-restless-rewriting", "cap-restless-contract", "cap-restless-description", "cap-restless-callers",
}

// No style may change the following: listed manifests and descriptions agree, apart from nulls, samples return ok,
// and unknown pairs return NOT_FOUND.
func TestEveryVariantKeepsTheContract(t *testing.T) {
	samples := map[caphost.Ref]map[string]any{}
	profile, err := caphost.Profile()
	require.NoError(t, err)
	for _, c := range profile.Capabilities() {
		samples[c.Ref] = c.Sample
	}
	for _, v := range capvariant.All() {
		if slices.Contains(changing, v.Name) {
			continue // a listed capability may have changed before it is described
		}
		t.Run(v.Name, func(t *testing.T) {
			a := newAsked(t, v.Apply)
			for _, element := range a.list() {
				listed, _ := element.(map[string]any)
				described, _ := a.ask("describe", ref(listed))["result"].(map[string]any)
				if diff := cmp.Diff(dropNulls(listed), dropNulls(described)); diff != "" {
					t.Errorf("%v: described (-listed +described)\n%s", ref(listed), diff)
				}
				id, _ := listed["capability_id"].(string)
				version, _ := listed["version"].(string)
				if sample := samples[caphost.Ref{ID: id, Version: version}]; sample != nil {
					result, _ := a.ask("invoke", map[string]any{"ref": ref(listed), "input": sample})["result"].(map[string]any)
					if result["ok"] != true {
						t.Errorf("%s %s: the sample returned %v", id, version, result)
					}
				}
			}
			unknown := map[string]any{"capability_id": "no.such", "version": "1.0.0"}
			described, err := json.Marshal(a.ask("describe", unknown))
			require.NoError(t, err)
			result, _ := a.ask("invoke", map[string]any{"ref": unknown, "input": map[string]any{}})["result"].(map[string]any)
			refused, _ := result["error"].(map[string]any)
			// an error, or a result that contains one
			if !strings.Contains(string(described), `"NOT_FOUND"`) || refused["code"] != "NOT_FOUND" {
				t.Errorf("an unknown pair: describe returned %s and invoke %v", described, result)
			}
		})
	}
}

func dropNulls(manifest map[string]any) map[string]any {
	kept := map[string]any{}
	for member, value := range manifest {
		if value != nil && member != "x-given" { // a custom member may differ

			kept[member] = value
		}
	}
	return kept
}
