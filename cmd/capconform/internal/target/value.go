package target

import (
	"bytes"
	"encoding/json"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

var (
	urlForm       = regexp.MustCompile(`^(mcp\+)?https?://[^/?#\s]+\S*$`)
	schemeForm    = regexp.MustCompile(`^(mcp\+)?https?://`)
	headerName    = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	variableBegin = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*|^`)
	variableName  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	durationForm  = regexp.MustCompile(`^([0-9]{1,5}(\.[0-9]{1,9})?(ms|s|m|h)){1,4}$`)
	sizeForm      = regexp.MustCompile(`^([1-9][0-9]{0,8})(KiB|MiB|GiB)$`)
	pathForm      = regexp.MustCompile(`^/\S*$`)
)

// place reads the path of a URL.
func (d *decoder) place(into *string) valueReader {
	return func(n *yaml.Node) error {
		if err := d.text(into)(n); err != nil {
			return err
		}
		if !pathForm.MatchString(*into) {
			return d.errorAt(n, "%q is not a path: a path begins with / and has no blanks", *into)
		}
		return nil
	}
}

func (d *decoder) duration(into *time.Duration) valueReader {
	return func(n *yaml.Node) error {
		length, err := time.ParseDuration(n.Value)
		if n.Kind != yaml.ScalarNode || n.Tag != "!!str" || err != nil || length <= 0 || !durationForm.MatchString(n.Value) {
			return d.errorAt(n, "want a duration above zero such as 500ms, 10s or 1m30s, got %s", shown(n))
		}
		*into = length
		return nil
	}
}

// maxBytes is the largest size that can be written as a plain number.
const maxBytes = 1 << 40

func (d *decoder) size(into *int64) valueReader {
	units := map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
	return func(n *yaml.Node) error {
		if n.Tag == "!!int" {
			bytes, err := strconv.ParseInt(n.Value, 10, 64)
			if err == nil && bytes > 0 && bytes <= maxBytes {
				*into = bytes
				return nil
			}
		}
		parts := sizeForm.FindStringSubmatch(n.Value)
		if n.Kind != yaml.ScalarNode || n.Tag != "!!str" || parts == nil {
			return d.errorAt(n, "want a size such as 512KiB or 8MiB, got %s", shown(n))
		}
		count, err := strconv.ParseInt(parts[1], 10, 64)
		*into = count * units[parts[2]]
		return err
	}
}

// shown returns a value as an error message quotes it.
func shown(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode && n.Value != "" {
		return strconv.Quote(n.Value)
	}
	return kindOf(n)
}

// json returns a value as JSON, with numbers as they were written if JSON has the same spelling.
// Dates stay the strings in the file.
func (d *decoder) json(n *yaml.Node) (json.RawMessage, error) {
	var out bytes.Buffer
	if err := d.writeJSON(&out, resolveAlias(n), 0); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// maxDepth bounds the nesting of an input, because an alias may contain itself.
const maxDepth = 100

func (d *decoder) writeJSON(out *bytes.Buffer, n *yaml.Node, depth int) error {
	if depth > maxDepth || out.Len() > maxFileSize {
		return d.errorAt(n, "the value is too large, or nested deeper than %d levels", maxDepth)
	}
	switch n.Kind {
	case yaml.MappingNode:
		return d.writeObject(out, n, depth)
	case yaml.SequenceNode:
		out.WriteByte('[')
		first := true
		err := d.items(n, func(item *yaml.Node) error {
			separate(out, &first)
			return d.writeJSON(out, item, depth+1)
		})
		out.WriteByte(']')
		return err
	}
	return d.writeScalar(out, n)
}

func (d *decoder) writeObject(out *bytes.Buffer, n *yaml.Node, depth int) error {
	out.WriteByte('{')
	first := true
	err := d.each(n, func(key, value *yaml.Node) error {
		separate(out, &first)
		if err := writeText(out, key.Value); err != nil {
			return err
		}
		out.WriteByte(':')
		return d.writeJSON(out, value, depth+1)
	})
	out.WriteByte('}')
	return err
}

func separate(out *bytes.Buffer, first *bool) {
	if !*first {
		out.WriteByte(',')
	}
	*first = false
}

func writeText(out *bytes.Buffer, text string) error {
	quoted, err := json.Marshal(text)
	out.Write(quoted)
	return err
}

func (d *decoder) writeScalar(out *bytes.Buffer, n *yaml.Node) error {
	switch n.Tag {
	case "!!null":
		out.WriteString("null")
	case "!!bool":
		out.WriteString(strings.ToLower(n.Value))
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			out.WriteString(n.Value)
			return nil
		}
		number, ok := new(big.Float).SetString(strings.ReplaceAll(n.Value, "_", ""))
		if !ok || number.IsInf() {
			return d.errorAt(n, "%s is not a number in JSON", n.Value)
		}
		out.WriteString(number.Text('g', -1))
	case "!!str", "!!timestamp":
		return writeText(out, n.Value)
	default:
		return d.errorAt(n, "JSON has no value of type %s", n.Tag)
	}
	return nil
}

// maxFileSize bounds a target file, in bytes.
const maxFileSize = 1 << 20
