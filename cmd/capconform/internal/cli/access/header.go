package access

import (
	"net/textproto"
	"os"
	"regexp"
	"strings"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/target"
	"github.com/capconform/capconform/suites/driver"
)

// header is one header of every request. Its value may be a secret.
type header struct {
	name, value string
	source      string // how a shell gets the value, for inside double quotes; empty if nothing is secret
}

// publicHeader are the headers whose written-out values are not secrets.
var publicHeader = regexp.MustCompile(
	`(?i)^(accept|accept-.*|cache-control|content-type|origin|prefer|referer|traceparent|user-agent)$`)

var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// readHeaders reads the values of --header: 'Name: value', where the value may contain ${VARIABLE}
// or be @FILE, or @FILE with such lines. For each of them, shown is what a report shows in its
// place, which never contains a value.
func readHeaders(given []string) (all []header, shown []string, err error) {
	for _, text := range given {
		path, isFile := strings.CutPrefix(text, "@")
		if !isFile {
			h, reference, err := readHeader(text)
			if err != nil {
				return nil, nil, err
			}
			all, shown = append(all, h), append(shown, reference)
			continue
		}
		content, err := readSecret(path)
		if err != nil {
			return nil, nil, err
		}
		for line := range strings.Lines(content) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			name, value, ok := cutHeader(line)
			if !ok {
				return nil, nil, process.Misuse("--header: a line of %s is not 'Name: value'", path)
			}
			all = append(all, header{name, value, fromFile(name, "sed -n 's/^"+name+": *//p'", path)})
		}
		if strings.TrimSpace(content) == "" {
			return nil, nil, process.Misuse("--header: %s contains no header", path)
		}
		shown = append(shown, text)
	}
	return all, shown, nil
}

func readHeader(text string) (header, string, error) {
	name, value, ok := cutHeader(text)
	if !ok {
		return header{}, "", process.Misuse("--header: want 'Name: value' or @FILE")
	}
	if path, isFile := strings.CutPrefix(value, "@"); isFile {
		content, err := readSecret(path)
		content = strings.TrimSpace(content)
		switch {
		case err == nil && content == "":
			return header{}, "", process.Misuse("--header %s: %s contains no value", name, path)
		case strings.ContainsAny(content, "\r\n\x00"):
			return header{}, "", process.Misuse("--header %s: %s contains more than one line", name, path)
		}
		return header{name, content, fromFile(name, "cat", path)}, text, err
	}
	expanded, err := target.Expand(value, os.LookupEnv)
	switch {
	case err != nil:
		return header{}, "", process.Misuse("--header %s: %v", name, err)
	case strings.ContainsAny(expanded, "\r\n\x00"):
		return header{}, "", process.Misuse("--header %s: the value contains a line break", name)
	case expanded != value:
		return header{name, expanded, driver.ShellReference(value)}, text, nil
	case publicHeader.MatchString(name) && !driver.IsSecretValue(value):
		return header{name: name, value: value}, text, nil
	}
	return header{name, value, VariableOf(name)}, name + ": " + VariableOf(name), nil
}

// fromFile returns how a shell gets the value of a header from a file. If name or path need quotes
// in a shell, a variable stands for the value.
func fromFile(name, command, path string) string {
	if strings.HasPrefix(path, "-") || driver.ShellQuote(name, path) != name+" "+path {
		return VariableOf(name)
	}
	return "$(" + command + " " + path + ")"
}

// VariableOf refers to the variable that stands for the value of a header.
func VariableOf(name string) string {
	return "${" + strings.ToUpper(strings.Map(lettersOnly, name)) + "}"
}

func lettersOnly(r rune) rune {
	if r < 0x80 && (r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
		return r
	}
	return '_'
}

func cutHeader(text string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(text, ":")
	value = strings.TrimSpace(value)
	return textproto.CanonicalMIMEHeaderKey(name), value, ok && headerName.MatchString(name) && value != ""
}

// readSecret reads a file that contains a secret. An error never shows its content.
func readSecret(path string) (string, error) {
	content, err := process.ReadFile(path, process.SmallFile)
	if err != nil {
		return "", process.Misuse("--header: %v", err)
	}
	return string(content), nil
}
