package text

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/spec"
)

// Draft returns the files of a new suite for a text in Markdown, by name: a catalogue entry and a scenario that is
// marked @todo for each normative sentence, and a schema for each JSON example. What the author must write is marked
// with TODO. With schemas, each part names the schema by which editors help.
func Draft(name string, source []byte, withSchemas bool) (map[string][]byte, error) {
	if !suiteName.MatchString(name) {
		return nil, fmt.Errorf("the name of a suite has 2 to 16 lower-case letters, got %q", name)
	}
	d := draft{name: name, files: map[string][]byte{}}
	d.read(source)
	if len(d.catalogue) == 0 {
		return nil, fmt.Errorf("the text has no sentence with a key word of RFC 2119, such as MUST")
	}
	catalogue := fmt.Appendf(nil, draftCatalogue, name, name, strings.Join(d.catalogue, ""))
	parsed, err := spec.Parse("catalogue.yaml", name, catalogue)
	if err != nil {
		return nil, err
	}
	d.files["catalogue.yaml"], _ = spec.WithSketches(parsed, catalogue, spec.Blocks(source))
	d.files["features/"+name+".feature"] = []byte("Feature: " + name + "\n" + strings.Join(d.scenarios, ""))
	d.files["protocol.yaml"] = fmt.Appendf(nil, draftProtocol, name, name)
	d.files["stimuli.yaml"] = fmt.Appendf(nil, draftStimuli, name)
	d.files["rules.yaml"] = []byte(draftRules)
	d.examples(source)
	for part := range partSchemas {
		if data, is := d.files[part]; is && withSchemas {
			head := "# yaml-language-server: $schema=" + schemas.ID(partSchemas[part]) + "\n"
			d.files[part] = append([]byte(head), data...)
		}
	}
	return d.files, nil
}

// partSchemas are the schemas of the parts, by which editors help.
var partSchemas = map[string]string{
	"catalogue.yaml": "catalogue/catalogue.schema.json", "protocol.yaml": "text/protocol.schema.json",
	"stimuli.yaml": "text/stimuli.schema.json", "rules.yaml": "text/rules.schema.json",
}

type draft struct {
	name      string
	files     map[string][]byte
	catalogue []string
	scenarios []string
	ordinals  map[string]int
}

const (
	draftCatalogue = `# The requirements of %s. Replace each TODO. An entry that cannot be observed from outside gets
# check: excluded, and the reason in excluded.
suite: %s
title: TODO the title of the text
version: "TODO the version of the text"
requirements:
%s`
	draftProtocol = `# What the text defines: its operations with their bindings, and the kinds of objects that rules can be about.
suite: %s
actor: host
operations:
  %s.example: {http: GET /example, reads: true}   # TODO replace it; an operation that only reads has reads: true
kinds: {}
`
	draftStimuli = `# What is sent. Every value is an expression in CEL.
- stimulus: example
  call: %s.example
`
	draftRules = `# What must hold between what was seen, such as:
#
#	- sentence: each reading shows a later time
#	  each: [earlier: reading, later: reading]
#	  must: earlier.result.time <= later.result.time
#	  message: a later reading shows an earlier time
#	  got: later.answer
`
	draftEntry = `  # line %d: %s
  - id: %s
    level: %s
    section: %q
    actor: host
    summary: TODO say it in your own words
    fingerprint: [%s]
    check: %s
`
)

var (
	heading       = regexp.MustCompile(`^#+\s+(.*\S)`)
	headingNumber = regexp.MustCompile(`^([0-9]+)\b`)
)

// read makes an entry and a scenario for each sentence with a key word.
func (d *draft) read(source []byte) {
	d.ordinals = map[string]int{}
	lines := strings.Split(string(source), "\n")
	for _, b := range spec.Blocks(source) {
		level := levelOf(b.Keyword)
		if level == "" || strings.Contains(b.Text, "RFC 2119") {
			continue
		}
		section, number := sectionOf(lines, b.Line)
		d.ordinals[number]++
		id := fmt.Sprintf("%s-%s-%02d", strings.ToUpper(d.name), number, d.ordinals[number])
		check := "live\n    satisfy: TODO how to meet it"
		if level == "MAY" {
			check = "none"
		}
		d.catalogue = append(d.catalogue,
			fmt.Sprintf(draftEntry, b.Line, clean(b.Text), id, level, section, b.Fingerprint, check))
		if level != "MAY" {
			d.scenarios = append(d.scenarios, fmt.Sprintf("\n  %s @%s\n  Scenario: %s\n", Todo, id, clean(b.Text)))
		}
	}
}

// clean returns a sentence in one line of printable text.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "..."
	}
	return text
}

// levelOf returns the level of a key word, "" if it is none.
func levelOf(keyword string) string {
	switch keyword {
	case "MUST", "SHALL", "REQUIRED":
		return "MUST"
	case "MUST NOT", "SHALL NOT":
		return "MUST NOT"
	case "SHOULD", "RECOMMENDED":
		return "SHOULD"
	case "SHOULD NOT", "NOT RECOMMENDED":
		return "SHOULD NOT"
	case "MAY", "OPTIONAL":
		return "MAY"
	}
	return ""
}

// sectionOf returns the heading above a line, and its number or its place among the headings.
func sectionOf(lines []string, at int) (title, number string) {
	n := 0
	title = "0"
	for _, line := range lines[:min(at, len(lines))] {
		if m := heading.FindStringSubmatch(line); m != nil {
			title = clean(m[1])
			n++
		}
	}
	if m := headingNumber.FindStringSubmatch(title); m != nil {
		return title, m[1]
	}
	return title, fmt.Sprint(n)
}

var example = regexp.MustCompile("(?ms)^```json\\s*\\n(.*?)^```")

// examples makes a schema for each JSON object that the text prints.
func (d *draft) examples(source []byte) {
	for i, m := range example.FindAllSubmatch(source, 50) {
		value := schemas.ReadObject(bytes.TrimSpace(m[1]))
		if value == nil {
			continue
		}
		text, err := json.MarshalIndent(schemaOf(value, 0), "", "  ")
		if err == nil {
			d.files[fmt.Sprintf("schemas/example%d.schema.json", i+1)] = append(text, '\n')
		}
	}
}

// schemaOf returns a schema that an example satisfies.
func schemaOf(v any, depth int) object {
	switch v := v.(type) {
	case object:
		properties, required := object{}, []string{}
		for name, member := range v {
			properties[name] = schemaOf(member, depth+1)
			required = append(required, name)
		}
		slices.Sort(required)
		return object{"type": "object", "required": required, "properties": properties}
	case []any:
		if len(v) == 0 || depth > 20 {
			return object{"type": "array"}
		}
		return object{"type": "array", "items": schemaOf(v[0], depth+1)}
	case string:
		return object{"type": "string"}
	case bool:
		return object{"type": "boolean"}
	case nil:
		return object{"type": "null"}
	case json.Number:
		if strings.ContainsAny(string(v), ".eE") {
			return object{"type": "number"}
		}
		return object{"type": "integer"}
	}
	return object{}
}
