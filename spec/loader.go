package spec

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"
)

//go:embed *.yaml
var catalogues embed.FS

// Names lists the suites with a catalogue, in the order in which they are always shown.
func Names() []string {
	var names []string
	for _, suite := range []string{"cap", "chp", "acp", "acd"} {
		if _, err := fs.Stat(catalogues, suite+".yaml"); err == nil {
			names = append(names, suite)
		}
	}
	return names
}

// Load reads the catalogue of a suite and checks it. The error lists every problem with file and
// line, one per line.
func Load(suite string) (*Catalogue, error) {
	data, err := catalogues.ReadFile(suite + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("spec: no catalogue for suite %q; there is one for %q", suite, Names())
	}
	return Parse(suite+".yaml", suite, data)
}

// Parse parses the bytes of a catalogue strictly. If no suite is given, it is that of any. The file is the name for
// messages. It decodes the document twice, once into nodes, because only nodes know their lines.
func Parse(file, suite string, data []byte) (*Catalogue, error) {
	root, err := readNode(data)
	if err != nil {
		return nil, fmt.Errorf("spec: %s: %w", file, err)
	}
	if err := checkKeys(file, root, catalogueKeys); err != nil {
		return nil, err
	}
	c := &Catalogue{}
	if err := root.Decode(c); err != nil {
		return nil, located(file, err)
	}
	at, err := c.onBase(file, root, linesOf(root))
	if err != nil {
		return nil, err
	}
	if err := validate(file, cmp.Or(suite, c.Suite), c, at); err != nil {
		return nil, err
	}
	c.addSources()
	if c.Edition == "" {
		c.Edition = c.Version
	}
	sum := sha256.Sum256(slices.Concat([]byte(c.base), data))
	c.digest = hex.EncodeToString(sum[:])
	return c, nil
}

var (
	errEmpty    = errors.New("the file is empty")
	errTrailing = errors.New("a second YAML document follows the catalogue")
	errShape    = errors.New("a catalogue is a mapping")
)

// readNode returns the only mapping of a catalogue file.
func readNode(data []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, rest yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errEmpty
		}
		return nil, err
	}
	if err := dec.Decode(&rest); !errors.Is(err, io.EOF) {
		return nil, errTrailing
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, errShape
	}
	return doc.Content[0], nil
}

// yamlLine matches the beginning of each message of the decoder.
var yamlLine = regexp.MustCompile(`^line (\d+): `)

// located turns the list of faults of the decoder into errors in the form of this package.
func located(file string, err error) error {
	var faults *yaml.TypeError
	if !errors.As(err, &faults) {
		return fmt.Errorf("spec: %s: %w", file, err)
	}
	var errs []error
	for _, fault := range faults.Errors {
		errs = append(errs, fmt.Errorf("spec: %s", yamlLine.ReplaceAllString(fault, file+":$1: ")))
	}
	return errors.Join(errs...)
}

// lines contains the lines where the entries of a catalogue begin, in their order.
type lines struct{ requirements, waivers []int }

func linesOf(root *yaml.Node) lines {
	var l lines
	for i := 0; i+1 < len(root.Content); i += 2 {
		var at []int
		for _, entry := range root.Content[i+1].Content {
			at = append(at, entry.Line)
		}
		switch root.Content[i].Value {
		case "requirements":
			l.requirements = at
		case "not_normative":
			l.waivers = at
		}
	}
	return l
}
