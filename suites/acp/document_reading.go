package acpsuite

import (
	"context"
	"fmt"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
)

// documentReading is what is learnt from all documents.
type documentReading struct {
	*lint.Findings
	settings   settings
	vocabulary *schemas.Schema // of what the state model adds to JSON Schema
	fragments  bool            // that schema URIs have one was noted
}

// readDocuments judges every package, and every upgrade.
func readDocuments(ctx context.Context, s settings, files, older []suites.Document) (*documentReading, error) {
	vocabulary, err := schemas.Own(annotations)
	if err != nil {
		return nil, fmt.Errorf("acpsuite: %w", err)
	}
	r := &documentReading{Findings: lint.NewFindings(), settings: s, vocabulary: vocabulary}
	before := map[string]*manifest{}
	for i := range older {
		if m := r.upgraded(&older[i]); m != nil {
			before[m.id.Name] = m
		}
	}
	for i := range files {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if !Recognises(&files[i]) {
			continue
		}
		if m := r.file(&files[i]); m != nil && len(older) > 0 {
			r.upgrade(m, before)
		}
	}
	return r, nil
}

// file judges one file. It returns the package, nil if there is none.
func (r *documentReading) file(file *document.File) *manifest {
	r.Hold(heldPackages)
	if err := file.Err; err != nil && err.Kind == document.Limit {
		r.Exceed("%v", err)
		return nil
	} else if err != nil {
		r.Breach(idDocument, file.Path, &document.Node{Line: err.Line, Column: err.Column}, "%s", err.Message)
		r.unreadable(file.Path)
		return nil
	}
	if count := len(file.Roots); count > 1 {
		r.Breach(idDocument, file.Path, file.Roots[1], "the file contains %d documents; a package is one document", count)
		r.unreadable(file.Path)
		return nil
	}
	root := file.Roots[0]
	if !root.Is(document.Object) {
		r.Breach(idDocument, file.Path, root, "the document is %s; a package is a mapping of sections", root.Kind)
		r.unreadable(file.Path)
		return nil
	}
	if other := foreignMark(root); other != "" {
		r.Breach(idSuffix, file.Path, root, "this is %s", other)
		r.unreadable(file.Path)
		return nil
	}
	if !named(file.Path) {
		r.Breach(idSuffix, file.Path, root, "the name of the file does not end in %s; call it %s", suffix,
			properName(file.Path, root))
	}
	m := newManifest(r, file, root)
	m.judge()
	return m
}
