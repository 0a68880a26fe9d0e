package hostile

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// checks are the checks of single formats, in addition to harmless.
var checks = map[string]func(text string) error{
	"console": onTerminal, "json": oneValue, "sarif": oneValue, "ctrf": oneValue, "badge": oneValue, "intoto": oneValue,
	"cucumber": valueALine, "junit": elements, "tap": points, "github": annotations, "markdown": blocks, "html": tags,
}

// harmless checks what applies to every output: it does nothing on a terminal and shows no secret.
func harmless(t *testing.T, name, format, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s: not valid UTF-8", name)
	}
	if at := strings.IndexFunc(text, acts); at >= 0 {
		t.Errorf("%s: contains a control character: …%q…", name, text[max(0, at-40):min(len(text), at+40)])
	}
	for _, form := range secretForms() {
		if at := strings.Index(text, form); at >= 0 {
			t.Errorf("%s: contains the secret: …%q…", name, text[max(0, at-80):min(len(text), at+80)])
			break
		}
	}
	if format != "github" {
		if err := noCommands(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if check := checks[format]; check != nil {
		if err := check(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// acts reports whether a rune controls a terminal instead of being displayed.
func acts(r rune) bool {
	return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

func secretForms() []string {
	quoted, _ := json.Marshal(secret)
	forms := []string{secret, strings.Trim(string(quoted), `"`), url.QueryEscape(secret)}
	for offset := range 3 {
		text := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", offset) + secret))
		forms = append(forms, text[4:len(text)-4]) // the first and last characters depend on the surrounding text
	}
	return forms
}

// noCommands returns an error if a line would be read as a command by a CI system.
func noCommands(text string) error {
	for line := range strings.Lines(text) {
		if bare := strings.TrimSpace(line); strings.HasPrefix(bare, "::") || logCommand.MatchString(bare) {
			return fmt.Errorf("a command to a CI system: %q", line)
		}
	}
	return nil
}

var logCommand = regexp.MustCompile(`##(\w*)\[`)

func onTerminal(text string) error {
	if strings.Contains(text, "\t") {
		return errors.New("a tab")
	}
	return nil
}

func oneValue(text string) error {
	if !json.Valid([]byte(text)) {
		return errors.New("no JSON")
	}
	return nil
}

func valueALine(text string) error {
	for line := range strings.Lines(text) {
		if err := oneValue(line); err != nil {
			return fmt.Errorf("%w: %q", err, line)
		}
	}
	return nil
}

func elements(text string) error {
	known := []string{"testsuites", "testsuite", "properties", "property", "testcase", "skipped", "error", "failure", "system-out"}
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch v := token.(type) {
		case xml.StartElement:
			if !slices.Contains(known, v.Name.Local) {
				return fmt.Errorf("unknown element %s", v.Name.Local)
			}
		case xml.Comment, xml.Directive:
			return fmt.Errorf("unexpected markup: %q", v)
		}
	}
}

var (
	pointForm      = regexp.MustCompile(`^( {4})?(not )?ok \d+ - `)
	tapForm        = regexp.MustCompile(`^(TAP version 14|( {4})?1\.\.\d+|( {4})?# .*|( {4})?(not )?ok \d+ - .*)$`)
	annotationForm = regexp.MustCompile(`^::(error|warning|notice) (file=[^,:]*,(line=\d+,col=\d+,)?)?title=[^,:]*::`)
	directiveForm  = regexp.MustCompile(`[^\\]#\s*(?i:skip|todo)`)
)

// points checks TAP: only known lines, as many test points as the plans announce, and YAML blocks that contain
// strings.
func points(text string) error {
	var block []string
	in, planned, seen := false, 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		bare := strings.TrimSpace(line)
		switch {
		case bare == "---" && !in:
			in, block = true, nil
		case bare == "..." && in:
			in = false
			var held map[string]string
			if err := yaml.Unmarshal([]byte(strings.Join(block, "\n")), &held); err != nil {
				return fmt.Errorf("a block is not valid YAML: %w: %q", err, block)
			}
			if len(held) != len(block) {
				return fmt.Errorf("a block of %d lines has %d members: %q", len(block), len(held), block)
			}
		case in:
			block = append(block, strings.TrimPrefix(line, "      "))
		case !tapForm.MatchString(line):
			return fmt.Errorf("unexpected line: %q", line)
		default:
			n := 0
			if _, err := fmt.Sscanf(bare, "1..%d", &n); err == nil {
				planned += n
			}
			if pointForm.MatchString(line) {
				seen++
				if strings.Count(line, " # ") > 1 && len(directiveForm.FindAllString(line, -1)) > 1 {
					return fmt.Errorf("two directives: %q", line)
				}
			}
		}
	}
	if planned != seen {
		return fmt.Errorf("the plans announce %d points, but there are %d", planned, seen)
	}
	return nil
}

// annotations checks that each line is an annotation that capconform writes.
func annotations(text string) error {
	for line := range strings.Lines(text) {
		if !annotationForm.MatchString(line) || logCommand.MatchString(line) {
			return fmt.Errorf("unexpected annotation: %q", line)
		}
	}
	return nil
}

// blocks checks Markdown: outside fenced blocks there is no HTML and no link.
func blocks(text string) error {
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch ticks := len(line) - len(strings.TrimLeft(line, "`")); {
		case fence == "" && ticks >= 3:
			fence = line[:ticks]
		case fence != "" && line == fence:
			fence = ""
		case fence == "" && strings.Contains(strings.ReplaceAll(line, "<br>", ""), "<"):
			return fmt.Errorf("contains HTML: %q", line)
		case fence == "" && regexp.MustCompile(`[^\\]\]\(`).MatchString(line):
			return fmt.Errorf("contains a link: %q", line)
		}
	}
	if fence != "" {
		return errors.New("a block is not closed")
	}
	return nil
}

var (
	ownCode   = regexp.MustCompile(`(?s)<(style|script)[^>]*>.*?</(style|script)>`)
	tagForm   = regexp.MustCompile(`<[^\s\d=][^>]*>`)
	nameForm  = regexp.MustCompile(`^</?([a-z0-9]+|!doctype)([\s>].*)?$`)
	attribute = regexp.MustCompile(`\s([a-zA-Z-]+)\s*(?:=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?`)
)

// loads reports whether a tag executes or loads something.
func loads(tag string) bool {
	for _, a := range attribute.FindAllStringSubmatch(tag, -1) {
		name, value := strings.ToLower(a[1]), strings.Trim(a[2], `"'`)
		switch name {
		case "src", "href", "action", "background", "poster", "data":
			link := strings.HasPrefix(tag, "<a ") && strings.HasPrefix(value, publishedText)
			if !strings.HasPrefix(value, "#") && value != "data:," && !link {
				return true
			}
		case "srcdoc", "formaction", "srcset", "ping":
			return true
		}
		if strings.HasPrefix(name, "on") {
			return true
		}
	}
	return false
}

// publishedText begins the addresses of the published texts in the catalogues. A link to one loads nothing before it is
// followed, and no target can change it.
const publishedText = "https://modelcontextprotocol.io/specification/"

// tags checks HTML: only known elements, none of which executes or loads anything.
func tags(text string) error {
	known := strings.Fields(
		`!doctype a article b body br button code dd details div dl dt footer h1 h2 h3 h4 h5 head header html
		i input li link main meta nav ol option p pre rect script section select small span strong style summary
		svg table tbody td th thead title tr ul`)
	if n := strings.Count(strings.ToLower(text), "<script"); n > 1 {
		return fmt.Errorf("contains %d scripts", n)
	}
	for _, tag := range tagForm.FindAllString(ownCode.ReplaceAllString(text, ""), -1) {
		name := nameForm.FindStringSubmatch(strings.ToLower(strings.ReplaceAll(tag, "\n", " ")))
		if name == nil || !slices.Contains(known, name[1]) || loads(tag) {
			return fmt.Errorf("unexpected tag %s", tag)
		}
	}
	return nil
}

// means decodes YAML, and returns an error if there is not exactly one document.
func means(text []byte) (map[string]any, error) {
	d := yaml.NewDecoder(bytes.NewReader(text))
	var first map[string]any
	if err := d.Decode(&first); err != nil {
		return nil, err
	}
	var second any
	if err := d.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("a second document: %v, %w", second, err)
	}
	return first, nil
}
