package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Examples in the pages are blocks of two kinds: sh, whose commands must run, and console, where a command follows "$
// " and its output is below it. In an output, … stands for any text, and a line of … alone for any lines.
var (
	exampleBlock = regexp.MustCompile("(?ms)^( *)```([a-z]*)\n(.*?)^ *```$")
	indented     = regexp.MustCompile(`(?m)^    (?:\$ )?(?:[A-Z_]+=\S+ )?capconform `)
)

// foreign are commands of other programs, which the pages mention and this test does not run.
var foreign = []string{
	"git", "go", "npm", "npx", "docker", "podman", "brew", "scoop", "gh", "make", "curl", "cosign", "pre-commit", "tar",
	".ci/run", "sudo", "apt-get", "chmod",
	"sha256sum", "./capconform", "./capconform_linux_amd64",
}

// exampleHosts maps the address at which the pages say that a host listens to the flags that serve one.
var exampleHosts = map[string][]string{
	"http://127.0.0.1:8899":         {"--listen", "127.0.0.1:0"},
	"http://127.0.0.1:9000":         {"--listen", "127.0.0.1:0"},
	"mcp+http://127.0.0.1:8898/mcp": {"--suite", "cap", "--mcp-listen", "127.0.0.1:0"},
}

func TestExamples(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the examples need a POSIX shell")
	}
	if testing.Short() {
		t.Skip("it examines a host for each example")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	var pages []string
	for _, pattern := range []string{"README.md", "CONTRIBUTING.md", "docs/*.md", "suites/*/ADAPTER.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		pages = append(pages, found...)
	}
	ran := make([]int, len(pages))
	t.Run("pages", func(t *testing.T) {
		for i, page := range pages {
			name, _ := filepath.Rel(root, page)
			t.Run(filepath.ToSlash(name), func(t *testing.T) {
				t.Parallel()
				ran[i] = runExamples(t, page)
			})
		}
	})
	all := 0
	for _, n := range ran {
		all += n
	}
	if all < 25 {
		t.Errorf("%d examples were run, want at least 25", all)
	}
}

// runExamples runs the examples of a page in order in one folder, and returns their number.
func runExamples(t *testing.T, page string) int {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	if filepath.Base(page) == "DESIGN.md" {
		return 0 // it shows the form of commands, not examples
	}
	if hidden := indented.FindString(string(text)); hidden != "" {
		t.Errorf("an example is outside a block of sh or console: %s", hidden)
	}
	blocks := blocksOf(string(text))
	if len(blocks) == 0 {
		return 0
	}
	shell := newExampleShell(t)
	count := 0
	for _, block := range blocks {
		switch block.language {
		case "sh":
			for _, command := range commandsOf(block.text) {
				count += shell.runs(t, command)
			}
		case "console":
			for _, shown := range strings.Split("\n"+block.text, "\n$ ")[1:] {
				command, output, _ := strings.Cut(shown, "\n")
				count += shell.prints(t, command, output)
			}
		case "yaml":
			count += shell.takes(t, block.text)
		}
	}
	return count
}

// exampleText is a block of a page, without its indentation.
type exampleText struct{ language, text string }

func blocksOf(page string) []exampleText {
	var all []exampleText
	for _, block := range exampleBlock.FindAllStringSubmatch(page, -1) {
		indentation := regexp.MustCompile("(?m)^" + block[1])
		all = append(all, exampleText{block[2], indentation.ReplaceAllString(block[3], "")})
	}
	return all
}

// TestExamplesOfGoCompile: a block that begins with the path of a file is the content of that file. The Go files must
// compile together and their test must pass.
func TestExamplesOfGoCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds packages again")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, "docs", "extending.md"))
	require.NoError(t, err)
	files, folder, packages := map[string]string{}, t.TempDir(), []string{}
	for _, block := range blocksOf(string(page)) {
		first, rest, _ := strings.Cut(block.text, "\n")
		at := regexp.MustCompile(`^(?://|#) ([a-z_/]+\.(go|yaml|feature))$`).FindStringSubmatch(first)
		if at == nil {
			continue
		}
		path, kind := at[1], at[2]
		files[filepath.Join(root, filepath.FromSlash(path))] = rest
		if name := "./" + filepath.ToSlash(filepath.Dir(path)); kind == "go" && !slices.Contains(packages, name) {
			packages = append(packages, name)
		}
	}
	require.Len(t, packages, 3, "the packages of the examples")
	replaced := overlaid(t, files)
	for i, name := range packages {
		program := filepath.Join(folder, fmt.Sprint(i, ".test"))
		// A package of ours.
		build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-overlay", replaced, "-o", program, name)
		build.Dir = root
		if output, err := build.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, output)
			continue
		}
		run := exec.CommandContext(t.Context(), program, "-test.run", "^TestContract$") // it was just built
		run.Dir = folder
		if output, err := run.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, output)
		}
	}
}

// commandsOf returns the commands of a block, one per line; a line that ends with \ continues on the next.
func commandsOf(block string) []string {
	var commands []string
	for line := range strings.Lines(strings.ReplaceAll(block, "\\\n", " ")) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			commands = append(commands, line)
		}
	}
	return commands
}

// exampleShell runs commands in a folder that contains the files that the pages mention.
type exampleShell struct {
	folder string
	hosts  map[string]string // the address in the pages -> the address at which the host is served
}

func newExampleShell(t *testing.T) *exampleShell {
	t.Helper()
	s := &exampleShell{folder: t.TempDir(), hosts: map[string]string{}}
	require.NoError(t, os.CopyFS(s.folder, os.DirFS("testdata/examples")))
	require.NoError(t, os.CopyFS(filepath.Join(s.folder, "corpus"), os.DirFS("../../reference/corpus")))
	require.NoError(t, os.CopyFS(filepath.Join(s.folder, "clock"), os.DirFS("../../examples/clock")))
	require.NoError(t, os.Link(filepath.Join(s.folder, "clock", "clock.md"), filepath.Join(s.folder, "clock.md")))
	serves := "#!/bin/sh\nexec capconform serve --suite cap "
	for name, flags := range map[string]string{"my-host": "--stdio", "bin/npx": "--no-fixtures --mcp-stdio"} {
		path := filepath.Join(s.folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(serves+flags+"\n"), 0o700)) // it is run
	}
	const reports = "capconform run --quiet --suite cap --report report.json reference && mkdir reports && " +
		"for copy in old.json new.json reports/host.json; do cp report.json $copy; done"
	output, status := s.bash(t, reports)
	require.Zero(t, status, output)
	return s
}

// runs executes a command and accepts any exit status except those for wrong usage, for a defect of capconform and
// for a command that the shell does not find.
func (s *exampleShell) runs(t *testing.T, command string) int {
	t.Helper()
	if slices.Contains(foreign, strings.Fields(command)[0]) {
		return 0
	}
	if strings.HasPrefix(command, "capconform serve ") {
		s.serves(t, command)
		return 1
	}
	if output, status := s.bash(t, command); status == 2 || status == 5 || status > 6 {
		t.Errorf("%s\nexit status %d:\n%s", command, status, output)
	}
	return 1
}

// prints executes a command and compares its output with the one in the page.
func (s *exampleShell) prints(t *testing.T, command, shown string) int {
	t.Helper()
	if slices.Contains(foreign, strings.Fields(command)[0]) {
		return 0
	}
	output, _ := s.bash(t, command)
	if !outputPattern(shown).MatchString(output) {
		t.Errorf("$ %s\nthe page shows:\n%s\nit prints:\n%s", command, shown, output)
	}
	return 1
}

// takes checks that capconform accepts a target file.
func (s *exampleShell) takes(t *testing.T, file string) int {
	t.Helper()
	if !regexp.MustCompile(`(?m)^(url|command): `).MatchString(file) {
		return 0
	}
	path := filepath.Join(s.folder, "example.yaml")
	require.NoError(t, os.WriteFile(path, []byte(s.local(t, file)), 0o600))
	if output, status := s.bash(t, "ACME_TOKEN=x capconform run --quiet --timeout 5s example.yaml"); status == 2 ||
		status == 5 {
		t.Errorf("exit status %d of a run with this file: %s\n%s", status, output, file)
	}
	return 1
}

// outputPattern converts an output in a page to a regular expression.
func outputPattern(shown string) *regexp.Regexp {
	quoted := regexp.QuoteMeta(strings.TrimRight(shown, "\n") + "\n")
	quoted = regexp.MustCompile(`(?m)^…\n`).ReplaceAllString(quoted, `(?:.*\n)*?`)
	quoted = strings.ReplaceAll(quoted, "…", `.*`)
	// It depends on the load.
	quoted = regexp.MustCompile(`"duration_ms":\d+`).ReplaceAllString(quoted, `"duration_ms":\d+`)
	return regexp.MustCompile(`^` + quoted + `$`)
}

// bash runs a command and returns the combined output and the exit status.
func (s *exampleShell) bash(t *testing.T, command string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "bash", "-c", s.local(t, command)) // the page is ours
	c.Dir, c.Env = s.folder, s.environment()
	c.WaitDelay = time.Second
	output, err := c.CombinedOutput()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatalf("%s: %v", command, err)
	}
	return s.public(string(output)), c.ProcessState.ExitCode()
}

func (s *exampleShell) environment() []string {
	path := filepath.Join(s.folder, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	return append(os.Environ(), "PATH="+path, "NO_COLOR=1", "CHP_KEY=x", "HOME="+s.folder)
}

// local replaces the addresses of a page by those of this test. A host is started when its address is first used.
func (s *exampleShell) local(t *testing.T, text string) string {
	t.Helper()
	for address, flags := range exampleHosts {
		if !strings.Contains(text, address) {
			continue
		}
		if s.hosts[address] == "" {
			s.hosts[address] = s.serves(t, "capconform serve "+strings.Join(flags, " "))
		}
		text = strings.ReplaceAll(text, address, s.hosts[address])
	}
	return text
}

// public is the inverse of local.
func (s *exampleShell) public(text string) string {
	for address, here := range s.hosts {
		text = strings.ReplaceAll(text, here, address)
	}
	return text
}

// serves starts a command that serves until the test ends, and returns the first line of its output, which is its
// address.
func (s *exampleShell) serves(t *testing.T, command string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	c := exec.CommandContext(ctx, "bash", "-c", "exec "+command) // the page is ours
	c.Dir, c.Env, c.WaitDelay = s.folder, s.environment(), time.Second
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() {
		stop()
		_ = c.Wait() // it was killed
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, fmt.Sprint("of ", command))
	return strings.TrimSpace(line)
}

func TestShownOutputsAreCompared(t *testing.T) {
	for shown, want := range map[string]bool{
		"a\n…\nd\n": true, "a\nb…\n…\nd\n": true, "a\nb c\nc\nd\n": true, "…\n": true, "a\n…\nc\n": false, "a\nd\n": false,
		"…\nb c\n": false,
	} {
		if got := outputPattern(shown).MatchString("a\nb c\nc\nd\n"); got != want {
			t.Errorf("%q: got %t, want %t", shown, got, want)
		}
	}
}
