package starter

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
)

const aboutQuestions = "The target does not show the following. Enter alone leaves it open. " +
	"A run calls each capability that you name.\n"

// mostShown bounds the ids that a question shows, and longestName the length of a name.
const (
	mostShown   = 20
	longestName = 200
)

// Ask asks a person for what the target did not show: name, version, and the capabilities that play the vacant roles.
// It returns the errors of line, which reads an answer; the facts must not be used then.
func (f *Facts) Ask(line func() (string, error), out io.Writer) error {
	p := &person{line: line, out: out}
	for _, text := range []struct {
		question string
		of       *string
	}{{"name", &f.Name}, {"version", &f.Version}} {
		if *text.of == "" {
			*text.of = p.answer(text.question, unprintable)
		}
	}
	for _, s := range f.Suites {
		ids := writable(s.Listed)
		unlisted := func(answer string) string {
			if slices.Contains(ids, answer) {
				return ""
			}
			return "no capability of this id is listed" + nearest.Hint(answer, ids)
		}
		shown := false
		for i := range s.Vacant {
			r := &s.Vacant[i]
			if len(ids) == 0 || r.player().ID != "" {
				continue
			}
			if !shown && p.err == nil {
				p.begin()
				fmt.Fprintf(out, "%s lists %s\n", s.Name, some(ids))
			}
			shown = true
			question := s.Name + " " + r.Name + ", which " + r.Purpose
			if r.Optional {
				question += " (optional)"
			}
			if id := p.answer(question, unlisted); id != "" {
				r.Candidates = append(r.Candidates, Candidate{ID: id, Named: true})
			}
		}
	}
	return p.err
}

// person answers questions on a terminal, until one cannot be read.
type person struct {
	line  func() (string, error)
	out   io.Writer
	begun bool
	err   error
}

// some returns ids in words, at most as many as a question shows.
func some(ids []string) string {
	text := strings.Join(ids[:min(len(ids), mostShown)], ", ")
	if len(ids) > mostShown {
		text += fmt.Sprintf(", and %d more", len(ids)-mostShown)
	}
	return text
}

func (p *person) begin() {
	if !p.begun && p.err == nil {
		fmt.Fprint(p.out, aboutQuestions)
	}
	p.begun = true
}

// answer asks a question, and once more if something is wrong with the answer. It returns "" for what is left open.
func (p *person) answer(question string, wrong func(string) string) string {
	for range 2 {
		if p.err != nil {
			return ""
		}
		p.begin()
		fmt.Fprint(p.out, question+": ")
		text := ""
		if text, p.err = p.line(); p.err != nil {
			fmt.Fprintln(p.out) // so that the error begins a line
		}
		if text = strings.TrimSpace(text); text == "" {
			return ""
		}
		why := wrong(text)
		if why == "" {
			return text
		}
		fmt.Fprintln(p.out, why)
	}
	return ""
}

// unprintable states what is wrong with a name or a version, "" if nothing is.
func unprintable(text string) string {
	strange := func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }
	if len(text) > longestName || strings.ContainsFunc(text, strange) {
		return fmt.Sprintf("want at most %d printable characters", longestName)
	}
	return ""
}
