package schemas

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// The clock for the timeouts of regexp2 runs for another second; no other goroutine may remain.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2.runClock"))
}

// A file to which a schema refers is not opened: otherwise its constant would decide, and its text would be in the
// error.
func TestFileReferenceIsNotRead(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.WriteFile("secret.json", []byte(`{"const":"planted-secret","type":"objekt"}`), 0o600))
	for _, reference := range []string{"file://" + filepath.ToSlash(filepath.Join(dir, "secret.json")), "secret.json",
		"./secret.json", "file:secret.json", "//localhost" + dir + "/secret.json"} {
		for _, schema := range []string{`{"$ref":"` + reference + `"}`, `{"$schema":"` + reference + `"}`,
			`{"$id":"file://` + dir + `/","properties":{"a":{"$ref":"secret.json"}}}`} {
			_, err := Compile([]byte(schema), Options{})
			if _, ok := errors.AsType[*Undecidable](err); !ok {
				t.Errorf("Compile(%s) returned %v, want undecidable", schema, err)
			}
			if err != nil && strings.Contains(err.Error(), "planted") {
				t.Errorf("Compile(%s) returned the text of the file", schema)
			}
		}
	}
}

func TestRemoteReferenceIsNotDialled(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	dialled := make(chan struct{}, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			connection.Close()
			dialled <- struct{}{}
		}
	}()
	for _, schema := range []string{`{"$ref":"http://ADDRESS/a.json"}`, `{"$schema":"http://ADDRESS/a.json"}`,
		`{"$id":"http://ADDRESS/","$ref":"a.json"}`} {
		_, err := Compile([]byte(strings.ReplaceAll(schema, "ADDRESS", listener.Addr().String())), Options{})
		if _, ok := errors.AsType[*Undecidable](err); !ok {
			t.Errorf("Compile(%s) returned %v, want undecidable", schema, err)
		}
	}
	require.NoError(t, listener.Close())
	<-done
	if len(dialled) > 0 {
		t.Error("the address in a schema was dialled")
	}
}

// The backtracking engine would take years for these patterns; there must be no verdict, however many strings there
// are.
func TestCatastrophicPattern(t *testing.T) {
	s, err := Compile([]byte(`{"items":{"pattern":"^(?=a)(a+)+$"},"patternProperties":{"^(?=a)(a+)+$":{}}}`),
		Options{MatchingFor: 1})
	require.NoError(t, err)
	text := `"` + strings.Repeat("a", 40) + `!"`
	for _, value := range []string{`[` + text + `]`, `[` + strings.Repeat(text+",", 10_000) + `1]`, `{` + text + `:1}`} {
		if got := outcome(s.Validate(mustDecode(t, value))); got != "undecidable deadline" {
			t.Errorf("Validate returned %s, want undecidable deadline", got)
		}
	}
	// The engine of Go matches the pattern without look-ahead in linear time.
	plain := mustCompile(t, `{"pattern":"^(a+)+$"}`)
	if got := outcome(plain.Validate(strings.Repeat("a", 40) + "!")); got != "invalid" {
		t.Errorf("without look-ahead Validate returned %s, want invalid", got)
	}
	one := mustCompile(t, `{"pattern":"^(?=a)(a+)+$"}`)
	if got := outcome(one.Validate(strings.Repeat("a", 40) + "!")); got != "undecidable deadline" {
		t.Errorf("one match returned %s, want undecidable deadline", got)
	}
}

// The value is invalid at the deepest level that Decode accepts: the error tree of the library is quadratic in depth,
// and must be bounded.
func TestDeepErrorIsBounded(t *testing.T) {
	s := mustCompile(t, `{"anyOf":[{"type":"null"},{"type":"object","additionalProperties":{"$ref":"#"}}]}`)
	v := mustDecode(t, strings.Repeat(`{"a":`, 255)+`1`+strings.Repeat(`}`, 255))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := s.Validate(v)
	runtime.ReadMemStats(&after)
	e, ok := errors.AsType[*Invalidity](err)
	require.True(t, ok, "%v", err)
	if n := countCauses(e.Causes); n > causeLimit {
		t.Errorf("%d causes, want at most %d", n, causeLimit)
	}
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 64<<20 {
		t.Errorf("%d bytes allocated for one validation", spent)
	}
}

func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		`{"type":"object","properties":{"a":{"minimum":1}}}`, `{"$ref":"#"}`, `{"pattern":"(?=a)b"}`,
		`{"$schema":"http://json-schema.org/draft-04/schema#","maximum":1,"exclusiveMaximum":true}`,
		`{"$id":"http://[::1","$ref":"a"}`, `{"allOf":[{"$ref":"#/allOf/1"},{"$ref":"#/allOf/0"}]}`,
		`{"propertyNames":{"not":{}},"unevaluatedItems":false}`,
	} {
		f.Add([]byte(seed), []byte(`{"a":[1,"b",null,{"c":1e3}]}`))
	}
	f.Fuzz(func(t *testing.T, schema, value []byte) {
		s, err := Compile(schema, Options{})
		if err != nil {
			if got := outcome(err); got != "invalid schema" && !strings.HasPrefix(got, "undecidable ") {
				t.Fatalf("Compile returned %s: %v", got, err)
			}
			return
		}
		v, err := Decode(value, Limits{})
		if err != nil {
			return
		}
		if got := outcome(s.Validate(v)); got != "ok" && got != "invalid" && !strings.HasPrefix(got, "undecidable ") {
			t.Fatalf("Validate returned %s", got)
		}
	})
}
