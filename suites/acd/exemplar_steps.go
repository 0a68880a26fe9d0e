package acdsuite

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acd/history"
)

var exemplarSentences = []sentence{
	try(`the documentation follows the registry`, (*world).docsFollow),
}

// docsFollow looks for a copy in the documentation, and for its absence.
func (w *world) docsFollow(ctx context.Context) error {
	first := w.call(ctx, opDocs, object{})
	if err := first.missing(); err != nil {
		return err
	}
	if text(first.value, "text") == "" {
		return suites.Undecided("the documentation is no text: %s", first.received())
	}
	if err := w.docsInvent(ctx); err != nil {
		return err
	}
	c, err := w.registerCopy(ctx, w.first(), func(d object) { history.Put(d, "exposure.scope", "public"); history.Put(d, "status.enabled", true) })
	if err != nil {
		return err
	}
	mentioned := func() (answered, bool) {
		a := w.call(ctx, opDocs, object{})
		return a, strings.Contains(text(a.value, "text"), c.id) || strings.Contains(text(a.value, "text"), text(c.members, "name"))
	}
	var shown answered
	if there := soon(ctx, func() (is bool) { shown, is = mentioned(); return is }); !there {
		return broken("the documentation does not mention a capability that was created", c.id, shown.received())
	}
	if err := w.docsUpdated(ctx, c); err != nil {
		return err
	}
	if !w.deletes(ctx, c) {
		return nil // ACD-SDK1-11
	}
	var a answered
	if gone := soon(ctx, func() (is bool) { a, is = mentioned(); return !is }); !gone {
		return broken("the documentation mentions a capability that was deleted", "a text without "+c.id, a.received())
	}
	return nil
}

// fileEndings are what a word of the form of an id may end in that is the name of a file.
var fileEndings = []string{"md", "html", "json", "yaml", "yml", "txt", "go", "py", "js", "ts"}

// idsIn finds the ids in a page that have the form which the text uses. What stands in a
// path or an address is none.
func idsIn(page string) []string {
	words := strings.FieldsFunc(page, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.-/:", r)
	})
	var all []string
	for _, word := range words {
		word = strings.TrimRight(word, ".:")
		parts := strings.Split(word, ".")
		odd := func(r rune) bool { return r != '_' && !unicode.IsLower(r) && !unicode.IsDigit(r) }
		if len(parts) < 2 || parts[0] != "cap" || slices.Contains(fileEndings, parts[len(parts)-1]) ||
			slices.ContainsFunc(parts, func(part string) bool { return part == "" || strings.ContainsFunc(part, odd) }) {
			continue
		}
		all = append(all, word)
	}
	return all
}

// docsInvent looks in the documentation for ids that nobody registered. An id that stands in
// the descriptors or the manifest, such as in a description, comes from the registry.
func (w *world) docsInvent(ctx context.Context) error {
	invented := func() string {
		page := text(w.call(ctx, opDocs, object{}).value, "text")
		known := string(suites.Encode(w.call(ctx, w.list.operation, object{}).value)) + string(suites.Encode(w.call(ctx, opManifest, object{}).value))
		for _, id := range idsIn(page) {
			if !strings.Contains(known, id) {
				return id
			}
		}
		return ""
	}
	first := invented()
	if first != "" && w.persists(ctx, func() bool { return invented() == first }) {
		return broken("the documentation mentions a capability that nobody registered", "ids of the registry", first)
	}
	return nil
}

// docsUpdated gives a copy another name, where the documentation shows names.
func (w *world) docsUpdated(ctx context.Context, c *capability) error {
	shows := func(name string) bool {
		return strings.Contains(text(w.call(ctx, opDocs, object{}).value, "text"), name)
	}
	before := text(c.members, "name")
	if !shows(before) {
		return nil
	}
	after := "Renamed " + strings.TrimPrefix(c.id, probePrefix)
	c.members["name"] = after
	if !w.updates(ctx, c) {
		return nil // ACD-SDK1-10
	}
	if !soon(ctx, func() bool { return shows(after) || !shows(before) }) {
		return broken("the documentation shows what an update has changed", after+" in the place of "+before, "a text with the old name alone")
	}
	return nil
}
