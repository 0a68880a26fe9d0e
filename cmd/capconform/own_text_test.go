package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The defects of examples/clock/clock.py, each with the requirement that it breaks.
var clockDefects = map[string]string{
	"unix-text": "CLOCK-2-01", "unix-missing": "CLOCK-2-01", "unix-fraction": "CLOCK-2-01",
	"utc-missing": "CLOCK-2-02", "utc-local": "CLOCK-2-02", "utc-later": "CLOCK-2-02", "backwards": "CLOCK-2-03",
	"zone-unnamed": "CLOCK-3-01", "zone-empty-name": "CLOCK-3-01", "offset-text": "CLOCK-3-02",
	"offset-hours": "CLOCK-3-02",
	"zone-twice":   "CLOCK-3-03", "zone-on-two-pages": "CLOCK-3-03",
	"unix-not-repeated": "CLOCK-4-01", "zone-not-repeated": "CLOCK-4-01",
	"local-utc": "CLOCK-4-02", "local-late-zones": "CLOCK-4-02", "callers-mixed": "CLOCK-4-03",
	"unknown-as-utc": "CLOCK-5-01", "unknown-other-code": "CLOCK-5-01",
	"invalid-accepted": "CLOCK-5-02", "invalid-other-code": "CLOCK-5-02",
}

const clockFolder = "../../examples/clock"

// python returns the path of python3, which CI must have.
func python(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("python3 is not installed")
	}
	require.NoError(t, err)
	return path
}

// statusesOfClock examines a clock by its text, and returns the verdict and the requirements that are not passed.
func statusesOfClock(t *testing.T, target ...string) (verdict string, open map[string]string) {
	t.Helper()
	return statusesOf(t, clockFolder, target...)
}

// statusesOf examines a target by the text in a folder, and returns the verdict and the requirements that are not
// passed.
func statusesOf(t *testing.T, folder string, target ...string) (verdict string, open map[string]string) {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.json")
	args := append([]string{"run", "--quiet", "--suite", folder, "--report", "json=" + report}, target...)
	out, _ := exec.CommandContext(t.Context(), "capconform", args...).CombinedOutput() // the report says how it ended
	raw, err := os.ReadFile(report)
	require.NoErrorf(t, err, "%s", out)
	var document struct {
		Verdict string
		Suites  []struct {
			TextDigest   string `json:"text_digest"`
			Requirements []struct{ ID, Status string }
		}
	}
	require.NoError(t, json.Unmarshal(raw, &document))
	require.Len(t, document.Suites, 1)
	assert.Len(t, document.Suites[0].TextDigest, 64)
	open = map[string]string{}
	for _, q := range document.Suites[0].Requirements {
		if q.Status != "passed" && q.Status != "excluded" {
			open[q.ID] = q.Status
		}
	}
	return document.Verdict, open
}

// clockOver returns the words of a target: a clock over a binding, with the given arguments.
func clockOver(t *testing.T, binding string, args ...string) []string {
	t.Helper()
	script := clockFolder + "/clock.py"
	if binding != "http" {
		return append([]string{"--", python(t), script, binding}, args...)
	}
	c := exec.CommandContext(t.Context(), python(t), append([]string{script, binding, "0"}, args...)...)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	_, url, _ := strings.Cut(strings.TrimSpace(line), "listening on ")
	return []string{url}
}

// Each defect of the clock breaks its requirement and no other, and each style is conformant, over every binding.
func TestClock(t *testing.T) {
	script, err := os.ReadFile(clockFolder + "/clock.py")
	require.NoError(t, err)
	list := func(name string) []string {
		body := regexp.MustCompile(`(?s)` + name + ` = \[(.*?)\]`).FindSubmatch(script)
		require.NotNil(t, body)
		var all []string
		for _, m := range regexp.MustCompile(`"([a-z-]+)"`).FindAllSubmatch(body[1], -1) {
			all = append(all, string(m[1]))
		}
		return all
	}
	defects, styles := list("DEFECTS"), list("STYLES")
	require.GreaterOrEqual(t, len(defects), 15)
	require.GreaterOrEqual(t, len(styles), 6)
	for _, binding := range []string{"stdio", "http", "mcp"} {
		if testing.Short() && binding != "stdio" {
			defects, styles = []string{"backwards", "unknown-other-code"}, styles[:1] // make check tries all
		}
		t.Run(binding, func(t *testing.T) {
			t.Parallel()
			for _, name := range slices.Clone(styles) {
				verdict, open := statusesOfClock(t, clockOver(t, binding, "--style", name)...)
				assert.Equalf(t, "conformant", verdict, "style %s: %v", name, open)
			}
			for _, name := range slices.Clone(defects) {
				verdict, open := statusesOfClock(t, clockOver(t, binding, "--defect", name)...)
				assert.Equalf(t, "nonconformant", verdict, "defect %s", name)
				for id, status := range open {
					assert.Equalf(t, id == clockDefects[name], status == "failed", "defect %s: %s is %s", name, id, status)
				}
				assert.Equalf(t, "failed", open[clockDefects[name]], "defect %s", name)
			}
		})
	}
}

// A host that answers nothing useful keeps no requirement of the text.
func TestNullHostKeepsNothingOfTheClock(t *testing.T) {
	const null = `import sys,json
for line in sys.stdin:
    r = json.loads(line)
    if "id" in r: print(json.dumps({"jsonrpc": "2.0", "id": r["id"], "result": {}}), flush=True)`
	_, open := statusesOfClock(t, "--", python(t), "-c", null)
	assert.Len(t, open, 11, "every requirement that can be observed is failed or inconclusive")
}

// prove names the sentence that cannot be observed, a requirement whose rule cannot fail, and a member that no
// requirement reads.
func TestProveNamesWhatNobodySawFail(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "clock")
	require.NoError(t, os.CopyFS(dir, os.DirFS(clockFolder)))
	rules, err := os.ReadFile(dir + "/rules.yaml")
	require.NoError(t, err)
	const demand = "earlier.result.unix <= later.result.unix"
	weak := strings.Replace(string(rules), demand, demand+" || true", 1)
	require.NotEqual(t, string(rules), weak)
	require.NoError(t, os.WriteFile(dir+"/rules.yaml", []byte(weak), 0o644))
	page := filepath.Join(t.TempDir(), "proof.html")
	c := exec.CommandContext(t.Context(), "capconform", "prove", "--json", "--suite", dir, "--report", "html="+page,
		"--", python(t), dir+"/clock.py", "stdio")
	out, _ := c.Output()
	assert.Equal(t, 1, c.ProcessState.ExitCode())
	var result struct {
		Requirements []struct {
			ID, Excluded string
			Broken       int
		}
		Unread []string
	}
	require.NoErrorf(t, json.Unmarshal(out, &result), "%s", out)
	for _, q := range result.Requirements {
		assert.Equalf(t, q.ID == "CLOCK-2-03" || q.ID == "CLOCK-2-04", q.Broken == 0, "%s was broken %d times", q.ID,
			q.Broken)
		assert.Equal(t, q.ID == "CLOCK-2-04", q.Excluded != "")
	}
	assert.Contains(t, result.Unread, "clock.convert error.message")
	html, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Contains(t, string(html), "nobody has seen CLOCK-2-03 fail")
	assert.Contains(t, string(html), "<li>clock.convert error.message</li>")
}

// A site shows texts of one's own, of which each digest is a suite, and refuses their reports without the folder.
func TestSiteOfATextOfOnesOwn(t *testing.T) {
	dir := t.TempDir()
	report := filepath.Join(dir, "report.json")
	run := exec.CommandContext(t.Context(), "capconform", append([]string{"run", "--quiet", "--suite", clockFolder,
		"--name", "Tower", "--report", "json=" + report}, clockOver(t, "stdio")...)...)
	out, err := run.CombinedOutput()
	require.NoErrorf(t, err, "%s", out)
	refused := exec.CommandContext(t.Context(), "capconform", "report", "matrix", "--site", dir+"/none", report)
	out, err = refused.CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "name its folder by --suite")
	made := exec.CommandContext(t.Context(), "capconform", "report", "matrix", "--site", dir+"/site", "--suite",
		clockFolder, report)
	out, err = made.CombinedOutput()
	require.NoErrorf(t, err, "%s", out)
	pages, err := filepath.Glob(dir + "/site/suites/clock-????????.html")
	require.NoError(t, err)
	require.Len(t, pages, 1)
	page, err := os.ReadFile(pages[0])
	require.NoError(t, err)
	assert.Contains(t, string(page), "CLOCK-2-03")
	assert.Contains(t, string(page), "Tower")
}
