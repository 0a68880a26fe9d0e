package examine

import (
	"cmp"
	"io"
	"slices"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/document"
)

// isStdin reports whether a path stands for stdin.
func isStdin(path string) bool { return path == "-" }

// stdin reads the document on stdin if one of the paths is -; it returns nil if none is.
func (f *lintFlags) stdin(in io.Reader, paths []string) (*loadedFile, error) {
	if !slices.ContainsFunc(paths, isStdin) {
		if f.stdinName != "" {
			return nil, process.Misuse("lint: --stdin-filename names the document on stdin, but no path is -")
		}
		return nil, nil
	}
	name, limits := cmp.Or(f.stdinName, "stdin"), document.Limits{}.WithDefaults()
	limits.Values = min(limits.Values, maxValues)
	text, err := io.ReadAll(io.LimitReader(in, int64(limits.Size)+1))
	if err != nil {
		return nil, process.Misuse("%s: can't be read: %v", name, err)
	}
	if len(text) == 0 {
		return nil, process.Misuse("%s: stdin is empty", name)
	}
	file, err := document.Parse(name, text, limits)
	return &loadedFile{name, file, err}, nil
}

// addEnds adds to each finding and remark the place where the text that it is about ends.
func (g *documentSet) addEnds(r *reports.Report) {
	byFile := map[string][]*reports.Finding{}
	each := func(f *reports.Finding) {
		if f.Line > 0 {
			byFile[f.File] = append(byFile[f.File], f)
		}
	}
	for i := range r.Suites {
		for j := range r.Suites[i].Requirements {
			scenarios := r.Suites[i].Requirements[j].Scenarios
			for k := range scenarios {
				for n := range scenarios[k].Remarks {
					each(&scenarios[k].Remarks[n].Finding)
				}
				if failure := scenarios[k].Failure; failure != nil {
					for n := range failure.Findings {
						each(&failure.Findings[n])
					}
				}
			}
		}
	}
	for i := range g.documents {
		found := byFile[g.documents[i].Path]
		places := make([]document.Place, len(found))
		for n, f := range found {
			places[n] = document.Place{Line: f.Line, Column: f.Column}
		}
		ends := g.documents[i].Ends(places)
		for _, f := range found {
			end := ends[document.Place{Line: f.Line, Column: f.Column}]
			f.EndLine, f.EndColumn = end.Line, end.Column
		}
	}
}
