package capmutant_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	capmutant "github.com/capconform/capconform/reference/caphost/mutant"
)

// The invalid inputs of the probe set: each breaks one keyword, or is accepted only by a lenient host.
var invalidInputs = []struct{ id, version, input string }{
	{"text.measure", "1.0.0", `{}`},
	{"text.measure", "1.0.0", `{"unit":"words"}`},
	{"text.measure", "1.0.0", `{"text":""}`},
	{"text.measure", "1.0.0", `{"text":"` + strings.Repeat("x", 401) + `"}`},
	{"text.measure", "1.0.0", `{"text":"a","unit":"Words"}`},
	{"text.measure", "1.0.0", `{"text":"a","unit":" words "}`},
	{"text.measure", "1.0.0", `{"text":"a","unit":"pages"}`},
	{"text.measure", "1.0.0", `{"text":"a","unit":null}`},
	{"text.measure", "1.0.0", `{"text":7}`},
	{"text.measure", "1.0.0", `{"text":true}`},
	{"text.measure", "1.0.0", `{"text":["a"]}`},
	{"text.measure", "1.0.0", `{"text":"a","further":1}`},
	{"text.measure", "1.0.0", `null`},
	{"text.measure", "1.0.0", `[]`},
	{"text.measure", "2.0.0", `{"texts":"a"}`},
	{"text.measure", "2.0.0", `{"texts":[]}`},
	{"text.measure", "2.0.0", `{"texts":["a","a","a","a","a","a","a","a","a"]}`},
	{"text.measure", "2.0.0", `{"texts":["a",""]}`},
	{"geo.measure_distance", "1.0.0", `{"from":{"latitude":91,"longitude":0},"to":{"latitude":0,"longitude":0}}`},
	{"geo.measure_distance", "1.0.0", `{"from":{"latitude":-91,"longitude":0},"to":{"latitude":0,"longitude":0}}`},
	{"geo.measure_distance", "1.0.0", `{"from":{"latitude":1,"longitude":-180},"to":{"latitude":0,"longitude":0}}`},
	{"geo.measure_distance", "1.0.0", `{"from":{"latitude":1},"to":{"latitude":0,"longitude":0}}`},
	{"geo.measure_distance", "1.0.0",
		`{"from":{"latitude":1,"longitude":1,"height":1},"to":{"latitude":0,"longitude":0}}`},
	{"calendar.find_weekday", "1.0.0", `{"date":"2026"}`},
	{"calendar.find_weekday", "1.0.0", `{"date":"2026-06-19","calendar":"julian"}`},
	{"list.sort", "1.0.0", `{"numbers":[1,1]}`},
	{"units.convert", "1.0.0", `{"value":1000000,"from":"mile","to":"mile"}`},
	{"units.convert", "1.0.0", `{"value":0,"from":"mile","to":"mile"}`},
	{"units.convert", "1.0.0", `{"value":1,"from":"mile","to":"mile","step":0.7}`},
	{"table.lookup", "1.0.0", `{"key":"a","rows":[{"key":"a"}]}`},
	{"table.lookup", "1.0.0", `{"key":"a","rows":[],"labels":{}}`},
	{"table.lookup", "1.0.0", `{"key":"a","rows":[],"labels":{"a":"","b":"","c":"","d":"","e":""}}`},
	{"table.lookup", "1.0.0", `{"key":"a","rows":[],"labels":{"a23456789012345678901":""}}`},
	{"shape.compute_area", "1.0.0", `{"shape":{"form":"square"}}`},
	{"colour.compute_mix", "1.0.0", `{"first":"ff0000","second":"0000ff","share":"25"}`},
	{"colour.compute_mix", "1.0.0", `{"first":"ff0000","second":"0000ff","share":"many"}`},
	{"colour.compute_mix", "1.0.0", `{"first":"ff0000","second":"0000ff","share":1.5}`},
	{"colour.compute_mix", "1.0.0", `{"first":"ff0000","second":"0000ff","share":true}`},
	{"colour.compute_mix", "1.0.0", `{"first":"ff0000","second":"0000ff","share":101}`},
	{"colour.compute_mix", "1.0.0", `{"first":"ff0000"}`},
	{"colour.compute_mix", "1.0.0", `{"first":"ff0000","second":"0000ff","label":"` + strings.Repeat("x", 41) + `"}`},
	{"colour.compute_mix", "1.0.0", `{"first":"ff0000","second":5}`},
	{"colour.compute_mix_exactly", "1.0.0", `{"first":"ff0000","second":"0000ff"}`},
	{"colour.compute_mix", "1.0.0", `{"first":"ff0000","second":"0000ff"}`},
	{"conformance.fail", "1.0.0", `{"reason":1}`},
	{"conformance.malformed", "1.0.0", `{"x":1}`},
	{"list.sort", "1.0.0", `{"numbers":[-7,1]}`},
	{"list.sort", "1.0.0", `{"numbers":[1.5,1]}`},
	{"table.lookup", "1.0.0", `{"key":"b","rows":[],"labels":{"a":"x\ny"}}`},
	{"calendar.find_weekday", "1.0.0", `{"date":" 2026-01-15"}`},
	{"calendar.find_weekday", "1.0.0", `{"date":"2026-01-15\n!"}`},
	{"table.lookup", "1.0.0", `{"key":"A","rows":[]}`},
	{"colour.compute_mix", "1.0.0", `{"first":"ff0000","second":"0000ff","constructor":true}`},
	{"text.measure", "2.0.0", `{"texts":["a",5]}`},
	{"conformance.fail", "1.0.0", `{"reason":"a"}`},
	{"colour.compute_mix", "1.0.0", `{"first":"ff0000"}`}, // a second time
}

// The valid inputs of the probe set.
var validInputs = []struct{ id, version, input string }{
	{"colour.compute_mix", "1.0.0", `{"first":"ff0000","second":"0000ff","share":25,"label":"violet"}`},
	{"text.measure", "1.0.0", `{"text":"a"}`},
	{"text.measure", "2.0.0", `{"texts":["a"]}`},
	{"table.lookup", "1.0.0", `{"key":"a","rows":[{"key":"a","value":false}]}`},
	{"table.lookup", "1.0.0", `{"key":"a","rows":[{"key":"a","value":""}]}`},
	{"conformance.echo", "1.0.0", `{"message":"a"}`},
	{"conformance.echo", "2.0.0", `{"text":"a"}`},
	{"conformance.restricted", "1.0.0", `{}`},
	{"conformance.malformed", "1.0.0", `{}`},
	{"conformance.slow", "1.0.0", `{}`},
	{"conformance.brief", "1.0.0", `{"topic":"a"}`},
	{"conformance.fail", "1.0.0", `{}`},
	{"conformance.echo", "1.0.0", `{"message":"b"}`},
	{"conformance.counter", "1.0.0", `{}`},
}

// Pairs that no host has; many differ little from a known one.
var unknown = [][2]string{
	{"no.such", "9.9.9"}, {"no.such", "1.0.0"}, {"colour.compute_mix", "9.9.9"}, {"colour.compute_mix", "2.0.0"},
	{"COLOUR.COMPUTE_MIX", "1.0.0"}, {"colour.compute_mi", "1.0.0"},
	{"colour.compute_mix", "1"}, {"colour.compute_mix", "1.0"}, {"colour.compute_mix", "v1.0.0"},
	{"colour.compute_mix", "1.0.0+x"}, {"colour.compute_mix", "1.0.0-x"}, {" colour.compute_mix ", "1.0.0"},
	{"colour.compute_mix", "1.5.5"}, {"colour.compute_mix", "0.0.1"}, {"colour_compute_mix", "1.0.0"},
	{"colour.compute_mix\n", "1.0.0"}, {"colour.compute_mix", "1.0.0\n"}, {"colour.compute_mix/", "1.0.0"},
	{"%63olour.compute_mix", "1.0.0"}, {"list.sort", "9.9.9"}, {"units.convert", "9.9.9"},
	{"colour.compute_mix.x", "1.0.0"}, {"compute_mix", "1.0.0"}, {"Mix colours", "1.0.0"}, {"*", "1.0.0"},
	{"constructor", "1.0.0"}, {"\u00e9", "1.0.0"}, {strings.Repeat("x", 300), "1.0.0"},
}

// Inputs after a call of replace.
var replaced = []struct{ version, input string }{{"1.0.0", `{"number":1}`}, {"2.0.0", `{"word":"a"}`},
	{"2.0.0", `{"number":1}`}}

type probe struct {
	host    *reference.Host
	answers []string
}

func (p *probe) call(method, params string) {
	p.answers = append(p.answers, method+" "+params+" -> "+p.ask(method, params))
}

func (p *probe) ask(method, params string) string {
	request := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"capability.%s","params":%s}`, method, params)
	return string(p.host.Handle(context.Background(), []byte(request)))
}

func (p *probe) invoke(id, version, input string) {
	p.call("invoke", fmt.Sprintf(`{"ref":{"capability_id":%q,"version":%q},"input":%s}`, id, version, input))
}

// callers invokes the echo in parallel, each with a different message.
func (p *probe) callers(messages ...string) {
	replies := make([]string, len(messages))
	var group sync.WaitGroup
	for i, message := range messages {
		group.Go(func() {
			replies[i] = p.ask("invoke",
				fmt.Sprintf(`{"ref":{"capability_id":"conformance.echo","version":"1.0.0"},"input":{"message":%q}}`, message))
		})
	}
	group.Wait()
	for i, message := range messages {
		p.answers = append(p.answers, message+" -> "+replies[i])
	}
}

func (p *probe) describe(id, version string) {
	p.call("describe", fmt.Sprintf(`{"capability_id":%q,"version":%q}`, id, version))
}

// answers sends the whole probe set to a host. The host runs in a synctest bubble: a defect that waits for a
// concurrent caller waits until each has arrived.
func answers(t *testing.T, noFixtures bool, alter func(*reference.Parts)) []string {
	t.Helper()
	var all []string
	synctest.Test(t, func(t *testing.T) { all = probed(t, noFixtures, alter) })
	return all
}

func probed(t *testing.T, noFixtures bool, alter func(*reference.Parts)) []string {
	t.Helper()
	host, err := reference.New(reference.Options{NoFixtures: noFixtures, Alter: func(parts *reference.Parts) {
		parts.CAP.Now = func() time.Time { return time.Time{} }
		if alter != nil {
			alter(parts)
		}
	}})
	require.NoError(t, err)
	p := &probe{host: host}
	p.call("list", "{}")
	p.call("list", "{}")
	for _, c := range validInputs {
		p.describe(c.id, c.version)
		p.invoke(c.id, c.version, c.input)
	}
	for _, c := range validInputs { // repeated, because some defects affect only the first call
		p.describe(c.id, c.version)
		p.invoke(c.id, c.version, c.input)
	}
	for _, c := range invalidInputs {
		p.invoke(c.id, c.version, c.input)
	}
	for _, pair := range unknown {
		p.describe(pair[0], pair[1])
		p.invoke(pair[0], pair[1], "{}")
	}
	p.describe("colour.compute_mix", "1.0.0")
	p.invoke("conformance.counter", "1.0.0", "{}")
	p.invoke("conformance.replace", "1.0.0", "{}")
	p.call("list", "{}")
	for _, c := range replaced {
		p.describe("conformance.replaceable", c.version)
		p.invoke("conformance.replaceable", c.version, c.input)
	}
	p.call("invoke", `{"ref":{"capability_id":"colour.compute_mix"},"input":{"first":"ff0000","second":"0000ff"}}`)
	p.call("invoke", `{"ref":{"capability_id":"colour.compute_mix","version":null},"input":{"first":"ff0000","second":"0000ff"}}`)
	p.call("invoke", `{"ref":{"capability_id":"colour.compute_mix","version":""},"input":{"first":"ff0000","second":"0000ff"}}`)
	p.callers("first", "second")
	require.NoError(t, host.Restarter()(t.Context()))
	p.call("list", "{}")
	return p.answers
}

func TestValidHostsAnswerProbesIdentically(t *testing.T) {
	for _, noFixtures := range []bool{false, true} {
		if diff := cmp.Diff(answers(t, noFixtures, nil), answers(t, noFixtures, nil)); diff != "" {
			t.Errorf("two valid hosts (no fixtures: %v) differ (-first +second)\n%s", noFixtures, diff)
		}
	}
}

func TestEveryMutantDiffersFromTheReference(t *testing.T) {
	reference := map[bool][]string{false: answers(t, false, nil), true: answers(t, true, nil)}
	attached := attachedAnswers(t, nil)
	require.Equal(t, attached, attachedAnswers(t, nil), "two valid hosts")
	for _, m := range capmutant.All() {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			if !m.NeedsFixtures && cmp.Equal(reference[true], answers(t, true, m.Apply)) {
				t.Error("all answers without fixtures equal those of the reference")
			}
			got, want := answers(t, false, m.Apply), reference[false]
			if m.Role == "attach" {
				got, want = attachedAnswers(t, m.Apply), attached
			}
			if cmp.Equal(want, got) {
				t.Error("all answers equal those of the reference")
			}
			for _, answer := range got {
				if _, reply, found := strings.Cut(answer, " -> "); found && !json.Valid([]byte(reply)) {
					t.Errorf("not JSON: %s", answer)
				}
			}
		})
	}
}

// The requirements that are observable on a live host and that a defect can break.
func TestEveryTestableRequirementHasAMutant(t *testing.T) {
	want := strings.Fields(`CAP-CAP-02 CAP-CAP-03 CAP-CAP-04 CAP-CAP-05 CAP-REF-01 CAP-GRAN-01 CAP-GRAN-04 CAP-GRAN-05
		CAP-MAN-01 CAP-MAN-02 CAP-MAN-03 CAP-MAN-04 CAP-MAN-06 CAP-DIS-01 CAP-DIS-02 CAP-DIS-03 CAP-DIS-04 CAP-DIS-06 CAP-DIS-07
		CAP-INV-01 CAP-INV-02 CAP-INV-03 CAP-INV-04 CAP-INV-05 CAP-ERR-01 CAP-ERR-02 CAP-ERR-03 CAP-ERR-04 CAP-ERR-05 CAP-ERR-06
		CAP-MCP-03 CAP-FC-01`)
	broken := map[string]int{}
	for _, m := range capmutant.All() {
		broken[m.Requirement]++
	}
	for _, id := range want {
		if broken[id] == 0 {
			t.Errorf("no mutant breaks %s", id)
		}
	}
	t.Log(len(capmutant.All()), broken)
}
