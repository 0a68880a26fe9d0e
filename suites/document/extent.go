package document

import (
	"cmp"
	"slices"
	"strings"
)

// Place is a position in a file, in lines and characters from 1.
type Place struct{ Line, Column int }

// compare orders places by their order in a file.
func (p Place) compare(other Place) int {
	return cmp.Or(p.Line-other.Line, p.Column-other.Column)
}

// Ends returns, for each of the places, where the text that begins there ends: after the last
// character of a name, of a value on one line, or of an opening bracket. It omits places for which
// that is unknown, such as those of YAML values of several lines.
func (f *File) Ends(places []Place) map[Place]Place {
	if len(places) == 0 || f.decoded == nil {
		return nil
	}
	e := extents{lines: strings.Split(string(f.decoded), "\n"), ends: map[Place]Place{}}
	slices.SortFunc(places, Place.compare)
	e.wanted = places
	for _, root := range f.Roots {
		e.walk(root)
	}
	return e.ends
}

// extents measures the texts that begin at the wanted places.
type extents struct {
	lines  []string
	wanted []Place // sorted
	ends   map[Place]Place
}

func (e *extents) walk(n *Node) {
	if n == nil {
		return
	}
	switch n.Kind {
	case Object, Array:
		e.note(n.Line, n.Column, "", false)
	default:
		e.note(n.Line, n.Column, n.Text, true)
	}
	for i := range n.Members {
		e.note(n.Members[i].Line, n.Members[i].Column, n.Members[i].Name, true)
		e.walk(n.Members[i].Value)
	}
	for _, item := range n.Items {
		e.walk(item)
	}
}

// note measures a name or a value if it is wanted. In YAML, an object without brackets has the
// place of its first name, which is measured separately.
func (e *extents) note(line, column int, text string, scalar bool) {
	at := Place{line, column}
	if _, wanted := slices.BinarySearchFunc(e.wanted, at, Place.compare); !wanted || line < 1 || line > len(e.lines) {
		return
	}
	if length := width(strings.TrimSuffix(e.lines[line-1], "\r"), column, text, scalar); length > 0 {
		e.ends[at] = Place{line, column + length}
	}
}

// width returns the number of characters of the text that begins in a column of a line, 0 if it is
// unknown.
func width(line string, column int, text string, scalar bool) int {
	runes := []rune(strings.TrimPrefix(line, "\ufeff"))
	if column < 1 || column > len(runes) {
		return 0
	}
	runes = runes[column-1:]
	switch first := runes[0]; {
	case !scalar && (first == '{' || first == '['):
		return 1
	case !scalar:
		return 0
	case first == '"' || first == '\'':
		return quotedWidth(runes)
	case strings.HasPrefix(string(runes), text):
		return len([]rune(text))
	default:
		return 0
	}
}

// quotedWidth returns the number of characters up to the quote that ends a text, 0 if that is on
// another line.
func quotedWidth(runes []rune) int {
	quote := runes[0]
	for i := 1; i < len(runes); i++ {
		switch {
		case quote == '"' && runes[i] == '\\':
			i++
		case runes[i] != quote:
		case quote == '\'' && i+1 < len(runes) && runes[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return 0
}
