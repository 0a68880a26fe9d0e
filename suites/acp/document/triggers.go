package acpdocument

import (
	"regexp"
	"slices"
	"strings"

	"github.com/dlclark/regexp2"

	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

const triggerRegex = "regex"

var triggerTypes = []string{triggerRegex, "keyword", "embedding"}

// triggers judges metadata.triggers.
type triggers struct{ *manifest }

func (m triggers) judge() {
	n := m.meta.Get("triggers")
	switch {
	case n.Absent():
		hint := ""
		if m.root.Has("triggers") {
			hint = "; triggers is at the top level and belongs in metadata"
		}
		m.breach(IDNoTriggers, memberOr(m.meta, "triggers"),
			"metadata has no triggers, so no message is ever classified for the capability%s", hint)
		return
	case n.Is(document.Array) && len(n.Items) == 0:
		m.breach(IDNoTriggers, n, "triggers is empty, so no message is ever classified for the capability")
		return
	}
	m.AddKind(kindTriggers)
	if !n.Is(document.Array) {
		m.breach(IDTriggers, n, "triggers is %s; want a list", lint.Described(n))
		m.leaveDependents(partTriggers)
		return
	}
	for i, item := range n.Items {
		m.judgeTrigger(item, i < maxCompiled)
	}
	if len(n.Items) > maxCompiled {
		m.Limit(IDRegex, "of the triggers of %s only the first %d are compiled", m.file.Path, maxCompiled)
	}
}

// judgeTrigger judges one entry by the rule of the text, and reports deviations from the form of the
// examples.
func (m triggers) judgeTrigger(item *document.Node, compiled bool) {
	switch {
	case !containsTrigger(item):
		m.breach(IDTriggers, item,
			"a trigger is %s, which contains no regular expression, keyword or hash", lint.Described(item))
		return
	case !item.Is(document.Object):
		m.breach(IDTriggerForm, item, "a trigger is %s; the text writes {type, value}", lint.Described(item))
		return
	}
	for _, name := range triggerKeys {
		switch member := item.Get(name); {
		case member.Absent():
			m.breach(IDTriggerForm, memberOr(item, name), "a trigger's %s is %s%s", name, describeAbsence(member),
				lint.Misspelt(item, name, triggerKeys))
		case !member.Is(document.String) && !isEmbeddingHash(item, name):
			m.breach(IDTriggerForm, member, "a trigger's %s is %s; the text writes a string", name, lint.Described(member))
		}
	}
	kind := item.Get("type")
	if kind.Is(document.String) && !slices.Contains(triggerTypes, kind.Text) {
		m.breach(IDTriggerType, kind,
			"the type of a trigger is %s; a router that knows only regex, keyword and embedding ignores it%s",
			lint.Described(kind), suggestNearest(kind.Text, triggerTypes))
	}
	for _, value := range expressions(item) {
		for _, expression := range append([]*document.Node{value}, elements(value)...) {
			if expression.Is(document.String) && compiled {
				m.judgeRegex(expression)
			}
		}
	}
}

// expressions returns the values of a trigger that are meant as regular expressions: the members value
// and pattern of a trigger of type regex, and the member regex.
func expressions(item *document.Node) []*document.Node {
	all := []*document.Node{item.Get(triggerRegex)}
	if kind := item.Get("type"); kind.Str() == triggerRegex {
		all = append(all, item.Get("value"), item.Get("pattern"))
	}
	return all
}

// elements returns the items of a list, nil for any other value.
func elements(n *document.Node) []*document.Node {
	if n.Is(document.Array) {
		return n.Items
	}
	return nil
}

// containsTrigger reports whether an entry contains a string or a number: as itself, in a list, or in
// any member except type.
func containsTrigger(n *document.Node) bool {
	switch {
	case n.Is(document.Array):
		return slices.ContainsFunc(n.Items, containsTrigger)
	case n.Is(document.Object):
		return slices.ContainsFunc(n.Members,
			func(m document.Member) bool { return m.Name != "type" && containsTrigger(m.Value) })
	}
	return n.Is(document.String) || n.Is(document.Number)
}

// isEmbeddingHash reports whether a member is the hash of an embedding. The text does not define its
// form, so that a list or an object is accepted as well as a string.
func isEmbeddingHash(item *document.Node, name string) bool {
	value := item.Get(name)
	return name == "value" && item.Get("type").Str() == "embedding" &&
		(value.Is(document.Array) || value.Is(document.Object))
}

// maxPattern limits the length of expressions for the second engine, which recurses for every
// bracket.
const maxPattern = 4096

// judgeRegex compiles an expression with both engines.
func (m triggers) judgeRegex(n *document.Node) {
	if len(n.Text) > maxPattern {
		m.Limit(IDRegex, "the expression at %s:%d:%d is longer than capconform's limit of %d bytes", m.file.Path, n.Line,
			n.Column, maxPattern)
		return
	}
	_, linear := regexp.Compile(n.Text)
	script := ecmaScriptError(n.Text)
	switch {
	case linear != nil && script != "" && isValidInPerl(n.Text):
		m.breach(IDBothEngines, n, "the expression works only in engines such as Perl's: RE2: %s; ECMAScript: %s",
			engineMessage(linear), script)
	case linear != nil && script != "":
		m.breach(IDRegex, n, "the value is not a regular expression: RE2: %s; ECMAScript: %s", engineMessage(linear), script)
	case linear != nil:
		m.breach(IDBothEngines, n, "the expression works in ECMAScript but not in RE2: %s", engineMessage(linear))
	case script != "":
		m.breach(IDBothEngines, n, "the expression works in RE2 but not in ECMAScript: %s", script)
	}
}

// ecmaScriptError returns the reason why ECMAScript does not accept an expression, "" if it does. The
// engine of the harness also accepts inline flags such as (?i), which ECMAScript lacks; foreignGroup
// finds them.
func ecmaScriptError(source string) string {
	if group := foreignGroup(source); group != "" {
		return "it does not support the group " + jsonvalue.Print(group)
	}
	source = escapeHyphens(replaceProperties(source))
	var firstErr error
	for _, options := range []regexp2.RegexOptions{regexp2.ECMAScript, regexp2.ECMAScript | regexp2.Unicode} {
		_, err := regexp2.Compile(source, options)
		if err == nil {
			return ""
		}
		if firstErr == nil {
			firstErr = err
		}
	}
	why, _, _ := strings.Cut(engineMessage(firstErr), " in `") // without the rewritten expression
	return why
}

// engineMessage returns the message of an engine about an expression, without its prefix.
func engineMessage(err error) string {
	return strings.TrimPrefix(err.Error(), "error parsing regexp: ")
}

// isValidInPerl reports whether an expression is valid in the dialects of Perl, PCRE, Python and .NET,
// which have both look-around and inline flags.
func isValidInPerl(source string) bool {
	for _, syntax := range perlSyntax {
		source = syntax.form.ReplaceAllString(source, syntax.as)
	}
	_, err := regexp2.Compile(source, regexp2.None)
	return err == nil
}

// perlSyntax lists syntax that Perl, PCRE or Python have and the engine of the harness lacks, each with
// a replacement: possessive repetition, branch reset, calls of groups, and flags about characters.
var perlSyntax = []struct {
	form *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`([*+?}])\+`), "$1"},
	{regexp.MustCompile(`\(\?\|`), "(?:"},
	{regexp.MustCompile(`\(\?P<`), "(?<"},
	{regexp.MustCompile(`\(\?P=\w+\)`), "(?:)"},
	{regexp.MustCompile(`\\([pP])\{I[ns]\w+\}`), `\$1{L}`},
	{regexp.MustCompile(`\(\?(?:R|[+-]?[0-9]+|&\w+|P>\w+)\)`), "(?:)"},
	{regexp.MustCompile(`\(\?([imsux]*)[aL]([imsux]*)([:)])`), "(?$1$2$3"},
	{regexp.MustCompile(`\(\?\)`), ""},
}

// ecmaGroups matches what may follow (? in ECMAScript.
var ecmaGroups = regexp.MustCompile(`^(?:[:=!]|<[=!]|<[\pL_$][\pL\pN_$]*>|[ims]*(?:-[ims]+)?:)`)

// foreignGroup returns the first group that ECMAScript does not have, "" if there is none. It ignores
// escapes and classes.
func foreignGroup(source string) string {
	class := false
	for i := 0; i < len(source); i++ {
		switch c := source[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case !class && strings.HasPrefix(source[i:], "(?") && !ecmaGroups.MatchString(source[i+2:]):
			return source[i:min(len(source), i+len("(?i)"))]
		}
	}
	return ""
}
