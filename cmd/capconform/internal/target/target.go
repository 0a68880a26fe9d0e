// Package target reads target files: what is examined, how it is reached, and what the harness must
// know about it (DESIGN section 8). Reading is strict: an error is one line that names file, line
// and column.
package target

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/live"
)

// File is the content of a target file. Zero fields were omitted.
type File struct {
	Path      string // as it was given
	Digest    string // SHA-256 of the file, in hex
	Name      string
	Version   string
	About     About
	Suites    []string
	Actors    []string
	Driver    string   // http, mcp or stdio
	URL       string   // may begin with mcp+; empty if there is a command
	Command   []string // a program that is a relative path was joined to the file's folder
	Headers   []Secret
	Env       []Secret
	Roles     map[string]map[string]live.Player // by suite and role
	Bindings  map[string]httpdriver.Binding     // by operation, over HTTP; valid jq
	Tools     map[string]mcpdriver.Binding      // by operation, over MCP; valid jq
	HTTP      HTTP
	MCP       suites.Adapter
	Supports  map[string][]string
	Restart   []string // as Command
	Limits    driver.Limits
	Deadlines driver.Deadlines
	Known     []suites.Package
	Signature string // the profile of signatures that a router takes (ACP)
	Switch    string // how the argument of /switch is written; empty: {name} (ACP)
	// Arguments are the names that a runtime has for arguments of the built-in tools, by ours (ACP).
	Arguments map[string]string
}

// About is what readers of the report may know about the subject.
type About struct{ Organisation, URL, Contact string }

// Secret is a header or a variable. The value is the one after replacing ${NAME}; Source is the
// original text if it contains a reference, otherwise empty.
type Secret struct{ Name, Value, Source string }

// HTTP contains the differences of JSON-RPC over HTTP.
type HTTP struct {
	RPCPath string // empty: /rpc
}

// Words are the names that only the suites know. A nil list permits every name.
type Words struct {
	Roles      map[string][]string // by suite
	Operations []string
}

// Error reports that a target file cannot be used, in the form file:line:column: message.
type Error struct {
	Path         string
	Line, Column int // 0 if the file as a whole is meant
	Message      string
}

// Error returns place and message in one line.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Path + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
}

// maxSize bounds a target file, in bytes.
const maxSize = 1 << 20

// Load reads a target file. lookup finds environment variables (os.LookupEnv). The error is an
// *Error.
func Load(path string, words Words, lookup func(name string) (string, bool)) (*File, error) {
	text, err := read(path)
	if err != nil {
		return nil, &Error{Path: path, Message: err.Error()}
	}
	d := &decoder{path: path, words: words, lookup: lookup, file: &File{Path: path, Digest: digest(text)}}
	root, err := d.root(text)
	if err != nil {
		return nil, err
	}
	if err := d.document(root); err != nil {
		return nil, err
	}
	return d.file, nil
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func read(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("can't be read: not a regular file") // reading a pipe would block
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	switch {
	case err != nil:
		return nil, cause(err)
	case len(text) > maxSize:
		return nil, errors.New("the file is larger than 1 MiB")
	}
	return text, nil
}

// cause removes the path from an error of package os, because the message begins with it.
func cause(err error) error {
	var in *os.PathError
	if errors.As(err, &in) {
		return fmt.Errorf("can't be read: %w", in.Err)
	}
	return err
}

// root returns the only mapping of a target file.
func (d *decoder) root(text []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc, rest yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, &Error{Path: d.path, Message: "the file is empty"}
	} else if err != nil {
		return nil, d.syntax(text, err)
	}
	if err := dec.Decode(&rest); err == nil {
		return nil, d.wrong(&rest, "a second document begins here; a target file has one")
	} else if !errors.Is(err, io.EOF) {
		return nil, d.syntax(text, err)
	}
	return doc.Content[0], nil
}

// syntax extracts the line from an error of the YAML library, which reports no column, and no line
// for a character that YAML does not allow.
func (d *decoder) syntax(text []byte, err error) error {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	var line int
	if n, _ := fmt.Sscanf(message, "line %d:", &line); n == 1 {
		_, message, _ = strings.Cut(message, ": ")
		return &Error{Path: fmt.Sprintf("%s:%d", d.path, line), Message: "not YAML: " + message}
	}
	if line = disallowed(text); line > 0 {
		return &Error{Path: fmt.Sprintf("%s:%d", d.path, line), Message: "not YAML: " + message}
	}
	return &Error{Path: d.path, Message: "not YAML: " + message}
}

// disallowed returns the line of the first control character, or byte that is not UTF-8, in a text
// of an encoding based on ASCII. It returns 0 if there is none.
func disallowed(text []byte) int {
	line := 1
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == '\n':
			line++
		case r == utf8.RuneError && size == 1, r < ' ' && r != '\t' && r != '\r', r == 0x7f:
			return line
		}
		text = text[size:]
	}
	return 0
}

// program joins a relative path to the folder of the file. A bare name is looked up in PATH.
func (d *decoder) program(command []string) []string {
	if len(command) > 0 && strings.ContainsAny(command[0], `/`+string(filepath.Separator)) && !filepath.IsAbs(command[0]) {
		joined := filepath.Join(filepath.Dir(d.path), command[0])
		if !strings.ContainsRune(joined, filepath.Separator) {
			joined = "." + string(filepath.Separator) + joined // otherwise it would be looked up in PATH
		}
		command[0] = joined
	}
	return command
}
