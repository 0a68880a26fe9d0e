package reports

import (
	"fmt"
	"slices"
	"strings"
)

// title names what a suite was examined by: the protocol, the edition of its text, and
// the actors that were examined. A verdict holds for these alone.
func (s *Suite) title() string {
	title := joinWords(" ", strings.ToUpper(s.Suite), s.SpecVersion)
	if s.Edition != "" {
		title += ", edition " + s.Edition
	}
	if len(s.Actors) > 0 {
		title += ", " + strings.Join(s.Actors, ", ")
	}
	return foldBreaks(title)
}

// titled adds how the subject was reached to the title of a suite.
func (r *Report) titled(s *Suite) string {
	switch r.Subject.Driver {
	case "":
		return s.title()
	case "documents":
		return s.title() + ", in documents"
	case "inproc":
		return s.title() + ", in process"
	}
	return s.title() + ", over " + r.Subject.Driver
}

// beyond says what the subject shows or declares, and was not examined. It is empty if
// there is nothing, else sentences.
func (s *Suite) beyond() string {
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
		all = append(all, fmt.Sprintf("The target file leaves out what the subject also plays: %s.", actors))
	}
	return foldBreaks(strings.Join(all, " "))
}

// stated is the verdict of a suite with everything that limits it, but the verdict's
// word.
func (r *Report) stated(s *Suite) string {
	return joinWords(" ", r.titled(s)+": "+s.sentence(r.Run.Strict)+".", s.beyond())
}

// Verdicts returns a line for each suite: the verdict with the edition, the actors, the
// driver, the counts, and what was not examined. The lines hold text of the subject.
func (r *Report) Verdicts() []string {
	all := make([]string, 0, len(r.Suites))
	for i := range r.Suites {
		s := &r.Suites[i]
		all = append(all, fmt.Sprintf("%s: %s", s.Verdict, r.stated(s)))
	}
	return all
}
