package hostile

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/cli"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/format"
)

// trial is one text and the effects that it must not have.
type trial struct {
	*testing.T
	text      string
	folder    string
	owned     string // a file that only an executed command creates
	elsewhere string
	calls     *atomic.Int64
}

// longest bounds a text, in bytes: the cost of a trial grows with its length.
const longest = 2000

func try(t *testing.T, text string) *trial {
	t.Setenv("CAPCONFORM_CANARY", secret)
	r := &trial{T: t, folder: t.TempDir()}
	r.owned = filepath.Join(r.folder, "owned")
	r.elsewhere, r.calls = somebodyElse(t)
	r.text = strings.ToValidUTF8(text[:min(len(text), longest)], "\ufffd")
	r.text = strings.NewReplacer("ELSEWHERE", r.elsewhere, "OWNED", r.owned).Replace(r.text)
	return r
}

// unharmed checks that no third party was contacted and no command was executed.
func (r *trial) unharmed() {
	r.Helper()
	if n := r.calls.Load(); n > 0 {
		r.Errorf("a third party was contacted %d times", n)
	}
	if _, err := os.Lstat(r.owned); err == nil {
		r.Error("a command of the text was executed")
	}
}

// run runs a command and checks what it prints.
func (r *trial) run(args ...string) (status int, stdout string) {
	r.Helper()
	var out, errs bytes.Buffer
	status = cli.Main(args, strings.NewReader(""), &out, &errs)
	harmless(r.T, "stdout of "+args[0], "console", out.String())
	harmless(r.T, "stderr of "+args[0], "console", errs.String())
	if status == int(reports.ExitHarness) {
		r.Errorf("%q: exit status 5: %s", args, errs.String())
	}
	return status, out.String()
}

func (r *trial) path(name string) string { return filepath.Join(r.folder, name) }

// formats returns the flags that write every format, and a function that checks the files.
func (r *trial) formats() (flags []string, check func()) {
	all := map[string]string{}
	for _, f := range format.Formats() {
		all[f.Name] = r.path("report." + f.Name)
		flags = append(flags, "--report", f.Name+"="+all[f.Name])
	}
	return flags, func() {
		for name, path := range all {
			if text, err := os.ReadFile(path); err == nil { // some formats refuse some reports
				harmless(r.T, name, name, string(text))
			}
		}
	}
}

func canary() []string { return []string{"--header", header + ": ${CAPCONFORM_CANARY}"} }

var whole = flag.Bool("corpus", false, "try each text of the corpus separately too")

// seed adds the texts of the corpus, several in one input, for each place in which a host can put them. That takes
// seconds; each text separately takes a minute.
func seed(f *testing.F, server bool) {
	texts := corpus()
	for place := range places {
		if testing.Short() && !server && place%2 != 0 {
			continue // .ci/run tries these
		}
		var some []string
		for i := place; i < len(texts); i += places {
			some = append(some, texts[i])
		}
		// In these places an MCP server is like any other host.
		alike := server && place != asBody && place != asRedirect
		if !alike || place%2 == 0 || !testing.Short() {
			f.Add(strings.Join(some, " "), byte(place))
		}
		if alike && (place%2 != 0 || !testing.Short()) {
			f.Add(strings.Join(some, " "), byte(overMCP+place))
		}
	}
	f.Add("", byte(withSecret)) // an id that contains the secret looks like any other
	for i, text := range texts {
		if *whole {
			f.Add(text, byte(i))
		}
	}
}

// FuzzTarget runs init, run and replay on a host that puts the text into its answers.
func FuzzTarget(f *testing.F) {
	seed(f, true)
	f.Fuzz(func(t *testing.T, text string, place byte) {
		r := try(t, text)
		h := serve(t, r.text, int(place), r.elsewhere)
		target := []string{h.url}
		if r.initialise(h) {
			target = []string{r.path("capconform.yaml")}
		} else {
			target = append(canary(), target...)
		}
		flags, check := r.formats()
		flags = append(flags, "-v", "--timeout", "20s", "--call-timeout", "2s", "--write-baseline", r.path("baseline.yaml"))
		status, _ := r.run(append(append([]string{"run"}, flags...), target...)...)
		if status == int(reports.ExitUsage) {
			t.Errorf("the files that init wrote are refused: %q", target)
		}
		check()
		report := r.report(r.path("report.json"))
		if report == nil {
			if h.place == behindStrings {
				t.Error("nothing was examined")
			}
			r.unharmed()
			return
		}
		r.baseline(report)
		id := r.commands(report)
		if id != "" {
			r.run(append(append([]string{"replay", r.path("report.json"), "--requirement", id}, canary()...), h.url)...)
		}
		r.unharmed()
	})
}

// initialise writes the files that a team starts with, and checks them.
func (r *trial) initialise(h *host) bool {
	file, workflow := r.path("capconform.yaml"), r.path("workflow.yml")
	status, _ := r.run(
		append(append([]string{"init", "--output", file, "--workflow", workflow}, canary()...), h.url)...)
	text, err := os.ReadFile(file)
	if status != 0 {
		if err == nil {
			r.Error("init failed, but wrote a file")
		}
		return false
	}
	require.NoError(r, err)
	harmless(r.T, "capconform.yaml", "yaml", string(text))
	got, err := means(text)
	require.NoError(r, err)
	for _, free := range []string{"name", "version"} {
		if _, isText := got[free].(string); got[free] != nil && !isText {
			r.Errorf("%s is not a string: %v", free, got[free])
		}
		delete(got, free)
	}
	want := map[string]any{
		"driver": h.driver, "url": h.url, "suites": got["suites"], "headers": map[string]any{header: "${CAPCONFORM_CANARY}"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.Errorf("the target file (-want +got)\n%s", diff)
	}
	r.roles(string(text))
	text, err = os.ReadFile(workflow)
	require.NoError(r, err)
	if strings.Count(string(text), "${{") != 1 {
		r.Errorf("the workflow contains other expressions:\n%s", text)
	}
	if _, err = means(text); err != nil {
		r.Errorf("the workflow: %v", err)
	}
	return true
}

var idForm = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._:/-]{0,127}$`)

// roles reads the roles as a user would who removes the comment marks.
func (r *trial) roles(text string) {
	_, after, found := strings.Cut(text, "\n# roles:")
	require.True(r, found)
	block, _, _ := strings.Cut(after, "\n\n")
	got, err := means([]byte("roles:" + strings.ReplaceAll(block, "\n# ", "\n")))
	require.NoError(r, err)
	suites, _ := got["roles"].(map[string]any)
	for _, roles := range suites {
		for _, player := range roles.(map[string]any) {
			members, isMapping := player.(map[string]any)
			id, isText := members["capability"].(string)
			if !isMapping || len(members) != 1 || !isText || !idForm.MatchString(id) {
				r.Errorf("a role contains %v", player)
			}
		}
	}
}

// report reads a report; it returns nil if there is none.
func (r *trial) report(path string) *reports.Report {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	report, err := reports.Read(bytes.NewReader(text))
	require.NoError(r, err)
	return report
}

// baseline reads the baseline, if one was written: its failures must be those of the report.
func (r *trial) baseline(report *reports.Report) {
	text, err := os.ReadFile(r.path("baseline.yaml"))
	if err != nil {
		return
	}
	harmless(r.T, "baseline.yaml", "yaml", string(text))
	known, err := reports.ReadBaseline(text)
	require.NoError(r, err)
	if found := known.Judge(report).Findings; len(found) > 0 {
		r.Errorf("the baseline is not that of the report: %v", found)
	}
}

// FuzzReport passes a report in which every string is the text to each command that reads reports.
func FuzzReport(f *testing.F) {
	seed(f, false)
	base := filepath.Join(f.TempDir(), "base.json")
	h := serve(f, "~", behindStrings, "")
	cli.Main(
		[]string{"run", "--quiet", "--suite", "cap", "--report", "json=" + base, h.url},
		strings.NewReader(""),
		&bytes.Buffer{},
		&bytes.Buffer{},
	)
	valid, err := os.ReadFile(base)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string, choice byte) {
		if text == "" {
			t.Skip("the schema of a report refuses it")
		}
		r := try(t, text)
		given := r.path("given.json")
		require.NoError(t, os.WriteFile(given, r.steered(valid, int(choice)), 0o600))
		report := r.report(given)
		id := firstFailure(report)
		require.NotEmpty(t, id)
		for _, format := range format.Formats() {
			out := r.path("converted." + format.Name)
			r.run("report", "convert", "--format", format.Name, "--output", out, given)
			if text, err := os.ReadFile(out); err == nil {
				harmless(t, "converted "+format.Name, format.Name, string(text))
			}
		}
		r.run("report", "verify", given)
		r.run("report", "merge", given, base)
		for _, args := range [][]string{{"diff", "--format", "markdown"}, {"matrix"}, {"matrix", "--format", "html"}} {
			out := r.path("compared")
			r.run(append(append([]string{"report"}, args...), "--output", out, base, given)...)
			text, err := os.ReadFile(out)
			require.NoError(t, err)
			format := "markdown"
			if slices.Contains(args, "html") {
				format = "html"
			}
			harmless(t, strings.Join(args, " "), format, string(text))
		}
		r.run("report", "diff", given, base)
		r.run("report", "diff", base, given)
		r.run("explain", "--", r.text)
		if status, _ := r.run("replay", given, "--requirement", id); status != int(reports.ExitUsage) {
			t.Errorf("without a target and without --trust: exit status %d", status)
		}
		r.run("replay", given, "--requirement", id, h.url)
		r.unharmed()
	})
}

func firstFailure(report *reports.Report) string {
	for _, s := range report.Suites {
		for _, q := range s.Requirements {
			for _, c := range q.Scenarios {
				if c.Failure != nil && len(c.Failure.Exchanges) > 0 {
					return q.ID
				}
			}
		}
	}
	return ""
}

// closed are the members of a report whose values its schema enumerates.
var closed = []string{
	"schema_version", "kind", "verdict", "status", "level", "driver", "fault", "started_at", "sha256", "id", "suite", "weight", "expires",
}

// replayed are the members that a replay needs to send anything, or to locate the step in the features.
var replayed = []string{"operation", "sent", "params", "name", "step"}

// steered returns the report with the text in each string, and with a command that leads elsewhere.
func (r *trial) steered(valid []byte, choice int) []byte {
	var report map[string]any
	require.NoError(r, json.Unmarshal(valid, &report))
	kept := closed
	if choice%2 == 0 {
		kept = append(slices.Clone(closed), replayed...)
	}
	report = replaced(report, "", kept, r.text).(map[string]any)
	commands := []string{
		r.text, "capconform run --header '" + header + ": ${CAPCONFORM_CANARY}' " + r.elsewhere,
		"capconform run --suite cap --header '" + header + ": ${CAPCONFORM_CANARY}' " + r.elsewhere + " --tags x",
		"capconform run --header '" + header + ": @/etc/hostname' " + r.elsewhere, "capconform run -- touch " + r.owned,
		"capconform run --pass-env all " + r.text, "capconform run " + r.path("capconform.yaml"), "capconform run --driver mcp mcp+" + r.elsewhere,
	}
	report["run"].(map[string]any)["command"] = commands[choice/2%len(commands)]
	steered, err := json.Marshal(report)
	require.NoError(r, err)
	return steered
}

func replaced(value any, member string, kept []string, text string) any {
	switch v := value.(type) {
	case string:
		if slices.Contains(kept, member) || v == "" {
			return v
		}
		return text
	case []any:
		for i := range v {
			v[i] = replaced(v[i], member, kept, text)
		}
	case map[string]any:
		for name := range v {
			v[name] = replaced(v[name], name, kept, text)
		}
	}
	return value
}

// FuzzDocument examines documents that contain the text, and whose file names do.
func FuzzDocument(f *testing.F) {
	seed(f, false)
	samples := documents(f)
	f.Fuzz(func(t *testing.T, text string, place byte) {
		r := try(t, text)
		folder := r.path("documents")
		require.NoError(t, os.Mkdir(folder, 0o700))
		h := &host{text: r.text, place: int(place) % 3}
		for name, valid := range samples {
			require.NoError(t, os.WriteFile(filepath.Join(folder, name), h.with(valid, ""), 0o600))
		}
		stem := strings.NewReplacer("/", "", "\x00", "").Replace(r.text)
		for _, extension := range []string{".json", ".yaml", ".acp.yaml", ".jsonl"} {
			name := strings.ToValidUTF8(stem[:min(len(stem), 100)], "") + extension
			require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(r.text), 0o600))
		}
		flags, check := r.formats()
		r.run(append(append([]string{"lint"}, flags...), folder)...)
		check()
		r.unharmed()
	})
}
