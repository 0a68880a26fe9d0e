package nearest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Mark says how two answers differ in a line.
type Mark rune

// The marks.
const (
	Same   Mark = ' '
	Mine   Mark = '-' // only the answer of the report has it
	Theirs Mark = '+' // only the answer of the reference has it
	Other  Mark = '~' // the values differ
)

// Line is a line of two answers, printed over each other.
type Line struct {
	Mark   Mark
	Depth  int    // of the member
	Text   string // of the report, or of the reference if only it has the member
	Theirs string // the value of the reference, if the values differ
}

// The bounds of a comparison. What is deeper or longer is printed as one value, or not at all.
const (
	deepest     = 12
	longestList = 200
	mostLines   = 400 // that are kept
	longestText = 160
)

// comparison compares an answer of the report with one of the reference.
type comparison struct {
	mine, theirs string // what was sent, as JSON
	lines        []Line
}

func (c *comparison) add(l Line) { c.lines = append(c.lines, l) }

// shownAround is the number of lines that are kept before and after a line with a mark.
const shownAround = 2

// kept returns the lines with marks, and those near them. A line stands for those that are left out in one place.
func (c *comparison) kept() []Line {
	left := Line{Mark: Same, Text: "…"}
	var kept []Line
	last := -1
	for i, l := range c.lines {
		around := c.lines[max(0, i-shownAround):min(len(c.lines), i+shownAround+1)]
		if !marked(around) {
			continue
		}
		if i > last+1 {
			kept = append(kept, left)
		}
		last = i
		kept = append(kept, l)
	}
	if last+1 < len(c.lines) {
		kept = append(kept, left)
	}
	return kept[:min(len(kept), mostLines)]
}

// marked reports whether a line has a mark.
func marked(lines []Line) bool {
	return slices.ContainsFunc(lines, func(l Line) bool { return l.Mark != Same })
}

// compare adds the lines of two values. The label is the name of the member with its colon, or empty.
func (c *comparison) compare(label string, mine, theirs any, depth int) {
	m, isObject := mine.(map[string]any)
	t, isObjectToo := theirs.(map[string]any)
	if isObject && isObjectToo && depth < deepest {
		c.add(Line{Same, depth, label + "{", ""})
		c.members(m, t, depth+1)
		c.add(Line{Same, depth, "}", ""})
		return
	}
	ml, isList := mine.([]any)
	tl, isListToo := theirs.([]any)
	if isList && isListToo && depth < deepest {
		c.add(Line{Same, depth, label + "[", ""})
		c.elements(ml, tl, depth+1)
		c.add(Line{Same, depth, "]", ""})
		return
	}
	line := Line{Mark: Same, Depth: depth, Text: label + printed(mine)}
	if !c.alike(mine, theirs) {
		line.Mark, line.Theirs = Other, printed(theirs)
	}
	c.add(line)
}

func (c *comparison) members(mine, theirs map[string]any, depth int) {
	all := maps.Clone(theirs)
	maps.Copy(all, mine)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		m, inMine := mine[name]
		t, inTheirs := theirs[name]
		label := printed(name) + ": "
		switch {
		case !inTheirs:
			c.add(Line{Mine, depth, label + printed(m), ""})
		case !inMine:
			c.add(Line{Theirs, depth, label + printed(t), ""})
		default:
			c.compare(label, m, t, depth)
		}
	}
}

// elements compares each element with the one of the reference that resembles it most, since hosts list in any order.
func (c *comparison) elements(mine, theirs []any, depth int) {
	mine, theirs = mine[:min(len(mine), longestList)], theirs[:min(len(theirs), longestList)]
	left := make([]set, len(theirs))
	for i, t := range theirs {
		left[i] = featuresOf(t)
	}
	for _, m := range mine {
		best, least := -1, 0
		f := featuresOf(m)
		for i, t := range left {
			if t == nil {
				continue // another element has it
			}
			if d := f.distance(t); best < 0 || d < least {
				best, least = i, d
			}
		}
		if best < 0 {
			c.add(Line{Mine, depth, printed(m), ""})
			continue
		}
		left[best] = nil
		c.compare("", m, theirs[best], depth)
	}
	for i, t := range left {
		if t != nil {
			c.add(Line{Theirs, depth, printed(theirs[i]), ""})
		}
	}
}

// alike reports whether two values are equal, or both were made for their exchange: an id, a time, a digest, or what
// the request had.
func (c *comparison) alike(mine, theirs any) bool {
	m, isText := mine.(string)
	t, isTextToo := theirs.(string)
	if isText && isTextToo {
		sent := strings.Contains(c.mine, encoded(m)) && strings.Contains(c.theirs, encoded(t))
		return m == t || generated.MatchString(m) && generated.MatchString(t) || sent
	}
	_, isNumber := mine.(json.Number)
	_, isNumberToo := theirs.(json.Number)
	return isNumber && isNumberToo || printed(mine) == printed(theirs)
}

// generated matches what differs from run to run.
var generated = regexp.MustCompile(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-|[0-9]{4}-[0-9]{2}-[0-9]{2}T|[0-9a-fA-F]{16}`)

// deepestFeature bounds the depth of features.
const deepestFeature = 6

// featuresOf returns the members of a value with their types, and with their values unless these differ from run to
// run. Elements of a list count alike wherever they stand. It is never nil.
func featuresOf(v any) set {
	all := set{}
	all.read("", v, 0)
	return all
}

func (f set) read(at string, v any, depth int) {
	if depth > deepestFeature {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		f[at+"{"] = true
		for name, member := range v {
			f.read(at+"/"+name, member, depth+1)
		}
	case []any:
		f[at+"["] = true
		for _, element := range v {
			f.read(at+"/[", element, depth+1)
		}
	case string:
		f[at+`"`] = true
		if !generated.MatchString(v) {
			f[at+`"`+v] = true
		}
	default:
		f[at+fmt.Sprintf("%T", v)] = true
		if _, isNumber := v.(json.Number); !isNumber {
			f[at+fmt.Sprint(v)] = true
		}
	}
}

// decoded returns a JSON value with its numbers as they are written.
func decoded(text string) (any, bool) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var v any
	if decoder.Decode(&v) != nil || decoder.More() {
		return nil, false
	}
	return v, true
}

// encoded returns a value as JSON.
func encoded(v any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v) // it was decoded from JSON
	return strings.TrimSuffix(out.String(), "\n")
}

// printed returns a value as JSON, of which a long one is cut.
func printed(v any) string {
	text := encoded(v)
	if runes := []rune(text); len(runes) > longestText {
		return string(runes[:longestText]) + " …"
	}
	return text
}
