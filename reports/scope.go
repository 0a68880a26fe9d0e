package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports/display"
)

// Title names the protocol, the version and the edition of its text, once if they are equal, and the actors that were
// examined. A verdict holds only for these.
func (s *Suite) Title() string {
	version, edition := s.SpecVersion, s.Edition
	if version == edition {
		version = ""
	}
	if edition != "" {
		edition = "edition " + edition
	}
	title := display.Join(" ", strings.ToUpper(s.Suite), version)
	return display.FoldBreaks(display.Join(", ", append([]string{title, edition}, s.Actors...)...))
}

// Text names the text of the suite: its version, or its edition if that contains the version, since two editions may
// have one version.
func (s *Suite) Text() string {
	if strings.Contains(s.Edition, s.SpecVersion) {
		return s.Edition
	}
	return s.SpecVersion
}

// ExplainCommand returns the command that explains a requirement. It names the folder of a text of one's own,
// or the edition of a suite that is data.
func (r *Report) ExplainCommand(id string) string {
	own := slices.IndexFunc(r.Suites, func(s Suite) bool {
		return s.TextDigest != "" && slices.ContainsFunc(s.Requirements, func(q Requirement) bool { return q.ID == id })
	})
	if own < 0 {
		return "capconform explain " + id
	}
	for _, option := range r.Run.Options {
		if folder, is := strings.CutPrefix(option, "--suite "); is && strings.Contains(folder, "/") {
			return "capconform explain " + option + " " + id
		}
	}
	return "capconform explain --edition " + r.Suites[own].Edition + " " + id
}

// Titled returns the title of a suite with the way in which the subject was reached.
func (r *Report) Titled(s *Suite) string {
	switch r.Subject.Driver {
	case "":
		return s.Title()
	case "documents":
		return s.Title() + ", in documents"
	case "inproc":
		return s.Title() + ", in process"
	}
	return s.Title() + ", over " + r.Subject.Driver
}

// Unexamined returns sentences about capabilities that were not invoked, and about actors and versions that the
// subject shows or declares and that were not examined. It returns "" if there are none.
func (s *Suite) Unexamined() string {
	invoked := ""
	if part := s.InvokedPart(); part != nil {
		invoked = fmt.Sprintf("%v capabilities were invoked.", part)
	}
	return display.Join(" ", invoked, s.NotExamined())
}

// NotExamined returns sentences about actors and versions that the subject shows or declares and that were not
// examined. It returns "" if there are none.
func (s *Suite) NotExamined() string {
	who := "The subject"
	if len(s.Actors) == 1 {
		who = "The " + s.Actors[0]
	}
	var all []string
	others := slices.DeleteFunc(slices.Clone(s.Declared), func(v string) bool { return v == s.SpecVersion })
	if len(others) > 0 {
		verb := "declares"
		switch {
		case len(others) == len(s.Declared):
		case s.Declared[0] != s.SpecVersion:
			verb = "prefers"
		default:
			verb = "also declares"
		}
		was := "was"
		if len(others) > 1 {
			was = "were"
		}
		versions := strings.Join(others, " and ")
		all = append(all, fmt.Sprintf("%s %s %s, which %s not examined.", who, verb, versions, was))
	}
	if len(s.LeftOut) > 0 {
		actors := strings.Join(s.LeftOut, ", ")
		all = append(all, fmt.Sprintf("The target file omits actors that the subject also plays: %s.", actors))
	}
	return display.FoldBreaks(strings.Join(all, " "))
}

// VerdictSentence returns the verdict of a suite with everything that limits it, without the word of the
// verdict itself.
func (r *Report) VerdictSentence(s *Suite) string {
	return display.Join(" ", r.Titled(s)+": "+s.Sentence(r.Run.Strict)+".", s.Unexamined())
}

// Verdicts returns a line for each suite: the verdict with the edition, the actors, the driver, the
// counts, and what was not examined. The lines contain text of the subject.
func (r *Report) Verdicts() []string {
	all := make([]string, 0, len(r.Suites))
	for i := range r.Suites {
		s := &r.Suites[i]
		all = append(all, fmt.Sprintf("%s: %s", s.Verdict, r.VerdictSentence(s)))
	}
	return all
}

// Conclusion returns what the outputs for people end with: Verdicts, and a line for the run unless its only suite says
// the same.
func (r *Report) Conclusion() []string {
	all := r.Verdicts()
	if !r.SuiteConcludes() {
		all = append(all, fmt.Sprintf("%s: %s", r.Verdict, r.Sentence()))
	}
	return all
}

// SuiteConcludes reports whether the verdict of the run is that of its only suite.
func (r *Report) SuiteConcludes() bool { return len(r.Suites) == 1 && r.Suites[0].Verdict == r.Verdict }

// Sentence states why a suite has its verdict.
func (s *Suite) Sentence(strict bool) string {
	must := s.Counts.Must
	judged := must.Passed + must.Provided + must.Failed
	var parts []string
	if must.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s broken", must.Failed, display.Plural(judged, "judged MUST")))
	} else if judged > 0 {
		parts = append(parts, display.Plural(judged, "judged MUST")+" kept")
	}
	if must.Provided > 0 {
		provided := fmt.Sprintf("%d of them by an adapter or a mapping", must.Provided)
		if must.MostlyProvided() {
			provided += ", which is half or more"
		}
		parts = append(parts, provided)
	}
	if strict && s.Counts.Should.Failed > 0 {
		parts = append(parts, display.Plural(s.Counts.Should.Failed, "SHOULD")+" broken")
	}
	if must.Inconclusive > 0 {
		parts = append(parts, fmt.Sprintf("%d inconclusive", must.Inconclusive))
	}
	if must.NotObserved > 0 {
		parts = append(parts, fmt.Sprintf("%d not observed", must.NotObserved))
	}
	if must.Error > 0 {
		parts = append(parts, fmt.Sprintf("%d without an outcome", must.Error))
	}
	if s.Plan.Executed < s.Plan.Planned {
		parts = append(parts, fmt.Sprintf("%s not run", display.Plural(s.Plan.Planned-s.Plan.Executed, "scenario")))
	}
	if len(parts) == 0 {
		return "no MUST was judged"
	}
	return strings.Join(parts, ", ")
}

// Sentence states why the run has its verdict.
func (r *Report) Sentence() string {
	if len(r.Suites) == 0 {
		return "nothing was examined"
	}
	var with []string
	for i := range r.Suites {
		if r.Suites[i].Verdict == r.Verdict {
			with = append(with, display.TerminalText(r.Suites[i].Suite))
		}
	}
	switch {
	case len(with) == 0 && r.Verdict == Nonconformant:
		return "the run as a whole, because stdout contains lines that are not messages"
	case len(with) == 0:
		return "the run did not finish"
	}
	if len(with) == len(r.Suites) {
		return "the run as a whole"
	}
	return "the run as a whole, because of " + strings.Join(with, ", ")
}

// PlanInWords returns a plan in words.
func PlanInWords(plan Plan) string {
	if plan.Executed == plan.Planned {
		return display.Plural(plan.Planned, "scenario")
	}
	return fmt.Sprintf("%d of %s", plan.Executed, display.Plural(plan.Planned, "scenario"))
}

// NotObserved returns the ids of the binding requirements that do not apply because nobody caused what they are about.
func (s *Suite) NotObserved() []string {
	var ids []string
	for _, q := range s.Requirements {
		if q.notObserved() && classOf(q.Level) == mustClass {
			ids = append(ids, q.ID)
		}
	}
	return ids
}

// EditionOf returns the edition in which a suite was examined, "" if the run did not examine it.
func (r *Report) EditionOf(suite string) string {
	for _, s := range r.Suites {
		if s.Suite == suite {
			return s.Edition
		}
	}
	return ""
}
