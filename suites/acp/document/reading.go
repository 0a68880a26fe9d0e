package acpdocument

import (
	"context"
	"fmt"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
)

// reading judges packages and upgrades.
type reading struct{ *sharedState }

// judgeAll judges every package, and every upgrade.
func judgeAll(ctx context.Context, s settings, files, older []suites.Document) (*lint.Findings, error) {
	vocabulary, err := schemas.Own(annotations)
	if err != nil {
		return nil, fmt.Errorf("acpsuite: %w", err)
	}
	r := reading{&sharedState{Findings: lint.NewFindings(), settings: s, vocabulary: vocabulary}}
	before := map[string]*manifest{}
	for i := range older {
		if m := r.readOlder(&older[i]); m != nil {
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
		if m := r.judgeFile(&files[i]); m != nil && len(older) > 0 {
			r.judgeUpgrade(m, before)
		}
	}
	return r.Findings, nil
}

// judgeFile judges one file. It returns the package, nil if the file is not a package.
func (r reading) judgeFile(file *document.File) *manifest {
	r.AddKind(kindPackages)
	if err := file.Err; err != nil && err.Kind == document.Limit {
		r.Exceed("%v", err)
		return nil
	} else if err != nil {
		r.Breach(IDDocument, file.Path, &document.Node{Line: err.Line, Column: err.Column}, "%s", err.Message)
		r.leaveUnreadable(file.Path)
		return nil
	}
	if count := len(file.Roots); count > 1 {
		r.Breach(IDDocument, file.Path, file.Roots[1], "the file contains %d documents; a package is one document", count)
		r.leaveUnreadable(file.Path)
		return nil
	}
	root := file.Roots[0]
	if !root.Is(document.Object) {
		r.Breach(IDDocument, file.Path, root, "the document is %s; a package is a mapping of sections", root.Kind)
		r.leaveUnreadable(file.Path)
		return nil
	}
	if other := describeForeign(root); other != "" {
		r.Breach(IDSuffix, file.Path, root, "this is %s", other)
		r.leaveUnreadable(file.Path)
		return nil
	}
	if !hasPackageName(file.Path) {
		r.Breach(IDSuffix, file.Path, root, "the name of the file does not end in %s; call it %s", suffix,
			suggestName(file.Path, root))
	}
	m := newManifest(r.sharedState, file, root)
	m.judge()
	return m
}

// leaveUnreadable leaves open every requirement that cannot be judged because a file is unreadable or
// has another format.
func (r reading) leaveUnreadable(path string) {
	for _, rule := range Vocabulary().Rules() {
		if rule.ID != IDDocument && rule.ID != IDSuffix {
			r.LeaveOpen(rule.ID, "%s cannot be read as a package", path)
		}
	}
}
