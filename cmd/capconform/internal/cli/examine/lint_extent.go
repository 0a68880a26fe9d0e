package examine

import (
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/document"
)

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
