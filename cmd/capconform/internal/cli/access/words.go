package access

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/cmd/capconform/internal/target"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
)

// Read reads TARGET, or the command after --. It returns the words as a report shows them.
func (f *Flags) Read(command string, args []string, dash int) (*Target, []string, error) {
	t := &Target{verb: command, namedDriver: f.Driver, pass: f.PassEnv, File: &target.File{}}
	if t.namedDriver == "auto" {
		t.namedDriver = ""
	}
	words, err := t.readArguments(args, dash)
	if err != nil {
		return nil, nil, err
	}
	if t.URL == "" {
		t.driver = t.namedDriver
	}
	if known := mcpdriver.Versions(); f.MCPVersion != "" && !slices.Contains(known, f.MCPVersion) {
		return nil, nil, process.Misuse("--mcp-version: unknown revision %s%s (known: %s)", f.MCPVersion,
			nearest.Hint(f.MCPVersion, known), strings.Join(known, ", "))
	}
	t.File.Revision = cmp.Or(f.MCPVersion, t.File.Revision)
	t.deadlines = t.File.Deadlines
	if f.CallTimeout > 0 {
		t.deadlines.Call = f.CallTimeout
		t.deadlines.Slow = max(t.deadlines.WithDefaults().Slow, f.CallTimeout)
	}
	return t, words, nil
}

// readArguments takes the arguments, of which those from dash on stand after --.
func (t *Target) readArguments(args []string, dash int) (words []string, err error) {
	switch {
	case dash == 0 && len(args) > 0 && args[0] == "":
		return nil, process.Misuse("%s: the command after -- is empty", t.verb)
	case dash == 0 && len(args) > 0:
		shown, _ := driver.MaskWords(args)
		t.command = args
		return append([]string{"--"}, shown...), nil
	case dash >= 0 && len(args) > dash:
		return nil, process.Misuse("%s: a target and a command after -- exclude each other: got %s and --", t.verb,
			driver.MaskAddresses(args[0]))
	case len(args) == 0:
		return nil, noTarget(t.verb)
	case len(args) > 1:
		return nil, process.Misuse("%s: one target at a time, got %s; put flags and arguments of a command after --", t.verb,
			MaskedWords(args))
	case args[0] == BuiltIn:
		return args, nil
	case strings.Contains(args[0], "://"):
		return args, t.address(args[0])
	case IsTargetFile(args[0]):
		return args, t.read(args[0])
	}
	return nil, unknownTarget(t.verb, args[0])
}

// MaskedWords returns words as a message may show them.
func MaskedWords(words []string) string {
	shown, _ := driver.MaskWords(words)
	return driver.MaskAddresses(strings.Join(shown, " "))
}

// DefaultFile is the file that init writes, and that run reads if no target is named.
const DefaultFile = "capconform.yaml"

// WithDefaultFile returns the target file of this folder if no target is named.
func WithDefaultFile(args []string) []string {
	if len(args) == 0 && process.Exists(DefaultFile) {
		return []string{DefaultFile}
	}
	return args
}

func noTarget(command string) error {
	switch command {
	case "init":
		return process.Misuse("init: no target: give a URL or -- COMMAND")
	case "run":
		return process.Misuse("run: no target: give reference, a URL, a target file (*.yaml), or -- COMMAND; %s is not here",
			DefaultFile)
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
