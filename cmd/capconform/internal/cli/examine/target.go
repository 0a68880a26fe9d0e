package examine

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/cmd/capconform/internal/target"
	"github.com/capconform/capconform/suites/driver"
)

// reach reads TARGET, or the command after --. It returns the words as a report shows them.
func (f *RunFlags) reach(command string, args []string, dash int) (*reach, []string, error) {
	r := &reach{verb: command, driver: f.driver, pass: f.passEnv, file: &target.File{}}
	if r.driver == "auto" {
		r.driver = ""
	}
	words := args
	switch {
	case dash == 0 && len(args) > 0 && args[0] == "":
		return nil, nil, process.Misuse("%s: the command after -- is empty", command)
	case dash == 0 && len(args) > 0:
		shown, _ := driver.MaskWords(args)
		r.command, words = args, append([]string{"--"}, shown...)
	case dash >= 0 && len(args) > dash:
		return nil, nil, process.Misuse("%s: a target and a command after -- exclude each other: got %s and --", command,
			driver.MaskAddresses(args[0]))
	case len(args) == 0:
		return nil, nil, noTarget(command)
	case len(args) > 1:
		return nil, nil, process.Misuse("%s: one target at a time, got %s; put flags and arguments of a command after --", command,
			maskedWords(args))
	case args[0] == BuiltIn:
	case strings.Contains(args[0], "://"):
		if err := r.address(args[0]); err != nil {
			return nil, nil, err
		}
	case slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(args[0])):
		if err := r.read(args[0]); err != nil {
			return nil, nil, err
		}
	default:
		return nil, nil, unknownTarget(command, args[0])
	}
	r.deadlines = r.file.Deadlines
	if f.callTimeout > 0 {
		r.deadlines.Call = f.callTimeout
		r.deadlines.Slow = max(r.deadlines.WithDefaults().Slow, f.callTimeout)
	}
	words, err := f.through(r, words)
	return r, words, err
}

// maskedWords returns words as a message may show them.
func maskedWords(words []string) string {
	shown, _ := driver.MaskWords(words)
	return driver.MaskAddresses(strings.Join(shown, " "))
}

// usualTargetFile is the file that init writes, and that run reads if no target is named.
const usualTargetFile = "capconform.yaml"

// orTargetFile returns the target file of this folder if no target is named.
func orTargetFile(args []string) []string {
	if len(args) == 0 && process.Exists(usualTargetFile) {
		return []string{usualTargetFile}
	}
	return args
}

func noTarget(command string) error {
	switch command {
	case "init":
		return process.Misuse("init: no target: give a URL or -- COMMAND")
	case "run":
		return process.Misuse("run: no target: give reference, a URL, a target file (*.yaml), or -- COMMAND; %s is not here",
			usualTargetFile)
	default:
		return process.Misuse("%s: no target: give reference, a URL, a target file (*.yaml), or -- COMMAND", command)
	}
}

// addressForm matches an address without a scheme: a name or a number with a port, or a name with a
// path.
var addressForm = regexp.MustCompile(
	`^(localhost|\[[0-9a-fA-F:]+\]|[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*)(:[0-9]{1,5})(/.*)?$|` +
		`^(localhost|([A-Za-z0-9-]+\.)+[A-Za-z0-9-]+)(/.*)$`)

func unknownTarget(command, word string) error {
	word = driver.MaskAddresses(word)
	if nearest.Name(word, []string{BuiltIn}) != "" {
		return process.Misuse("%s: unknown target %q; did you mean %q?", command, word, BuiltIn)
	}
	switch info, err := os.Stat(word); {
	case err == nil && info.IsDir():
		return process.Misuse("%s: %s is a folder and no target; documents are examined by capconform lint %s", command, word,
			driver.ShellQuote(word))
	case err == nil:
		if !strings.ContainsRune(word, filepath.Separator) {
			word = "." + string(filepath.Separator) + word
		}
		return process.Misuse("%s: %s is not a target file (*.yaml); to start it as a command: capconform %s -- %s", command, word,
			command, driver.ShellQuote(word))
	}
	if addressForm.MatchString(word) {
		return process.Misuse("%s: %s has no scheme; did you mean %q?", command, word, driver.MaskAddresses("http://"+word))
	}
	wanted := "reference, a URL such as http://127.0.0.1:8899, a target file (*.yaml), or -- COMMAND"
	if command == "init" {
		wanted = "a URL such as http://127.0.0.1:8899, or -- COMMAND"
	}
	return process.Misuse("%s: unknown target %q: want %s", command, word, wanted)
}

// read reads a target file. Flags override it.
func (r *reach) read(path string) error {
	words := target.Words{Roles: map[string][]string{}}
	for _, d := range scope.Definitions() {
		words.Operations = append(words.Operations, d.Operations...)
		for _, role := range d.Roles {
			words.Roles[d.Name] = append(words.Roles[d.Name], role.Name)
		}
	}
	file, err := target.Load(path, words, os.LookupEnv)
	if err != nil {
		return process.Misuse("%v", err)
	}
	r.file, r.command, r.env = file, file.Command, file.Env
	for i, e := range r.env {
		if e.Source == "" && (driver.SecretName(e.Name) || !driver.OrdinaryText(e.Value)) {
			r.env[i].Source = "${" + e.Name + "}"
		}
	}
	if r.driver == "" {
		r.driver = file.Driver
	}
	for _, h := range file.Headers {
		one := header{h.Name, h.Value, driver.ShellReference(h.Source)}
		if one.source == "" && (!harmless.MatchString(h.Name) || driver.SecretValue(h.Value)) {
			one.source = variableOf(h.Name)
		}
		r.headers = append(r.headers, one)
	}
	if file.URL == "" {
		return nil
	}
	return r.address(file.URL)
}

// superfluous refuses flags and keys that have no effect on this kind of target: the user expects
// an effect.
func (r *reach) superfluous(f *RunFlags) error {
	for _, c := range []struct {
		given bool
		why   string
	}{
		{r.url == "" && len(r.headers) > 0,
			"headers are sent to a URL; a command gets variables by --pass-env, or by env in a target file"},
		{r.url == "" && f.wait > 0, "--wait is for a URL; for a command it is deadlines.handshake in a target file"},
		{r.url != "" && len(r.env) > 0 && len(r.file.Restart) == 0, "env is for a command, not for a URL"},
		{len(r.command)+len(r.file.Restart) == 0 && len(f.passEnv) > 0, "--pass-env is for a command"},
		{(r.url == "" || r.driver == "mcp") && len(r.file.Bindings) > 0, "bindings with a path are for the driver http"},
		{(r.url != "" && r.driver != "mcp" || r.driver == "stdio") && len(r.file.Tools) > 0,
			"bindings with a tool are for the driver mcp"},
	} {
		if c.given {
			return process.Misuse("%s: %s", r.verb, c.why)
		}
	}
	return nil
}

// add replaces headers of the file by those of the command line.
func (r *reach) add(headers []header) {
	r.headers = slices.DeleteFunc(r.headers, func(old header) bool {
		return slices.ContainsFunc(headers, func(h header) bool { return strings.EqualFold(h.name, old.name) })
	})
	r.headers = append(r.headers, headers...)
}
