package caphost_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/caphost"
)

func hosts(t *testing.T) map[string]*caphost.Host {
	t.Helper()
	profile, err := caphost.Profile()
	require.NoError(t, err)
	ordinary, err := caphost.Ordinary()
	require.NoError(t, err)
	return map[string]*caphost.Host{"profile": profile, "ordinary": ordinary}
}

func TestSamplesReturnOK(t *testing.T) {
	for name, host := range hosts(t) {
		samples := 0
		for _, c := range host.Capabilities() {
			if c.Sample == nil {
				continue
			}
			samples++
			if outcome := host.Perform(context.Background(), c, c.Sample); outcome.Failure != nil {
				t.Errorf("%s: the sample of %s %s failed: %v", name, c.ID, c.Version, outcome.Failure)
			}
		}
		if samples < 10 {
			t.Errorf("%s: %d samples, want at least 10", name, samples)
		}
	}
}

// The safe policy of a harness omits capabilities whose names suggest a change.
func TestOrdinaryCapabilitiesHaveHarmlessNames(t *testing.T) {
	risky := regexp.MustCompile(`(?i)create|update|set|write|delete|send|publish|pay|buy|execute|run|deploy|stop`)
	for _, c := range hosts(t)["ordinary"].Capabilities() {
		manifest := c.Manifest()
		text := c.ID + " " + manifest["name"].(string) + " " + manifest["description"].(string)
		if found := risky.FindString(text); found != "" {
			t.Errorf("%s %s: %q in %q", c.ID, c.Version, found, text)
		}
		if strings.HasPrefix(c.ID, "conformance.") {
			t.Errorf("%s is a fixture", c.ID)
		}
	}
}

func TestReplaceExchangesPairBothWays(t *testing.T) {
	host := hosts(t)["profile"]
	first, second := caphost.Ref{ID: caphost.Replaceable, Version: "1.0.0"}, caphost.Ref{ID: caphost.Replaceable,
		Version: "2.0.0"}
	for i, want := range []struct{ gone, here caphost.Ref }{{first, second}, {second, first}, {first, second}} {
		replace := host.Lookup(caphost.Ref{ID: "conformance.replace", Version: "1.0.0"})
		outcome := host.Perform(context.Background(), replace, map[string]any{})
		if outcome.Failure != nil {
			t.Fatalf("exchange %d: %v", i, outcome.Failure)
		}
		if host.Lookup(want.gone) != nil {
			t.Errorf("exchange %d: %v is still known", i, want.gone)
		}
		here := host.Lookup(want.here)
		if here == nil {
			t.Fatalf("exchange %d: %v is not known", i, want.here)
		}
		if other := map[bool]string{true: "word",
			false: "number"}[want.here == first]; here.Input.Check(map[string]any{other: "x"}) == nil {
			t.Errorf("exchange %d: %v has the input of %v", i, want.here, want.gone)
		}
	}
}

func TestCounterExcludesItself(t *testing.T) {
	host := hosts(t)["profile"]
	ask := func(id string, input map[string]any) {
		host.Perform(context.Background(), host.Lookup(caphost.Ref{ID: id, Version: "1.0.0"}), input)
	}
	ask("conformance.counter", map[string]any{})
	ask("conformance.echo", map[string]any{"message": "x"})
	ask("conformance.fail", map[string]any{})
	ask("conformance.echo", map[string]any{"message": 1})
	ask("conformance.restricted", map[string]any{})
	ask("conformance.counter", map[string]any{})
	if got := host.Executions(); got != 2 {
		t.Errorf("%d executions counted, want 2: the echo and the failure", got)
	}
}

func TestCompileRefusesExternalReferences(t *testing.T) {
	for _, schema := range []map[string]any{
		{"$ref": "file:///etc/hostname"}, {"$ref": "http://127.0.0.1/x"}, {"$ref": "other.json"},
		{"$schema": "http://127.0.0.1/x"}, {"type": "objekt"},
	} {
		if _, err := caphost.Compile(schema); err == nil {
			t.Errorf("%v compiled", schema)
		}
	}
}
