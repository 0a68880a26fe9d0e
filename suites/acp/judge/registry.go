package judge

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// registrySentences are the sentences about the records of a registry.
var registrySentences = []verdict.Sentence[registries]{
	about(`the registry returns the (cap_uri|semver|cid|sha256) of each published version`, registries.Stored),
	decide(`each published version stays unchanged, whatever else is published`, registries.StaysUnchanged),
	decide(`neither a record nor an event contains the text of a file`, registries.NoText),
}

// The requirements that contain the positive controls of the others.
const (
	seeStored = "ACP-CHAIN-01"
	seeEvent  = "ACP-CHAIN-02"
)

// acceptedPublications returns the publications of valid packages by their authors that the registry
// accepted. The error states why there are none.
func (j registries) acceptedPublications() ([]*history.Publication, error) {
	var all []*history.Publication
	why := j.Conclusion(history.Published)
	for _, p := range j.Publications() {
		switch {
		case !p.Valid():
		case p.Returned():
			all = append(all, p)
		case why != nil:
		case p.AnswerError() != nil:
			why = p.AnswerError()
		default:
			why = verdict.Undecided("the registry refuses a valid package: %s", p.Got())
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	if why == nil {
		why = verdict.Undecided("nothing was published")
	}
	return nil, why
}

// lookupAfter returns the first lookup of a publication after it, nil if there is none or if another
// publication was accepted in between.
func (j registries) lookupAfter(p *history.Publication) *history.Lookup {
	for _, l := range j.Lookups() {
		if l.URI == p.Values[history.MemberURI] && l.Entry > p.Done {
			if j.publishedBetween(p, l.Entry) {
				return nil
			}
			return l
		}
	}
	return nil
}

// publishedBetween reports whether the registry accepted a publication after p and before an entry.
func (j registries) publishedBetween(p *history.Publication, before record.Tick) bool {
	return slices.ContainsFunc(j.Publications(), func(q *history.Publication) bool {
		return q.Entry > p.Done && q.Entry < before && q.Returned()
	})
}

// retrievablePublications returns the publications whose records can be judged: those that the registry
// accepted. If the registry also returns unpublished versions, its records prove nothing, and
// retrievablePublications returns an error.
func (j registries) retrievablePublications() ([]*history.Publication, error) {
	all, err := j.acceptedPublications()
	if err != nil {
		return nil, err
	}
	for _, l := range j.Lookups() {
		if l.About[history.AboutUnknown] != "" && l.Record[history.MemberURI] == l.URI {
			return nil, verdict.Undecided("the registry returns a version that nobody published: %s", l.Got())
		}
	}
	return all, nil
}

// Stored judges one of the four values of each published version, as the registry returns it directly
// after the publication. StaysUnchanged judges later changes.
func (j registries) Stored(name string) verdict.Verdict {
	all, err := j.retrievablePublications()
	v := &verdict.Verdict{Open: err}
	if err != nil {
		return *v
	}
	nothing := error(nil)
	for _, p := range all {
		l := j.lookupAfter(p)
		switch entries := []record.Tick{p.Entry}; {
		case l == nil:
		case l.AnswerError() != nil:
			v.Open = l.AnswerError()
		case l.Record == nil && name == history.MemberURI:
			v.AddBreach(append(entries, l.Entry), "the registry does not return a published version",
				"the four values of the publication", l.Got())
		case l.Record == nil:
			nothing = verdict.Undecided("the registry returns nothing: see %s", seeStored)
		default:
			v.Judged++
			if !p.ValueIn(l.Record, name) {
				addMissingValue(v, append(entries, l.Entry), "the record", p, name, l.Record)
			}
		}
	}
	return v.OpenUnlessJudged(nothing)
}

// addMissingValue adds a breach for an object that does not contain a required value.
func addMissingValue(v *verdict.Verdict, entries []record.Tick, what string, p *history.Publication, name string,
	got history.Object) {
	v.AddBreach(entries, fmt.Sprintf("%s of a published version does not contain its %s", what, name),
		jsonvalue.Print(p.Values[name]), jsonvalue.Print(got[name])+" in "+jsonvalue.Print(got))
}

// StaysUnchanged compares each later record of a published version with the first one, whatever was
// published in between.
func (j registries) StaysUnchanged() verdict.Verdict {
	all, err := j.retrievablePublications()
	v := &verdict.Verdict{Open: err}
	if err != nil {
		return *v
	}
	nothing := error(nil)
	for _, p := range all {
		first := j.lookupAfter(p)
		if first == nil {
			continue
		}
		if first.AnswerError() != nil {
			v.Open = first.AnswerError()
			continue
		}
		if !p.AnyValueIn(first.Record) {
			nothing = verdict.Undecided("the registry returns nothing: %s: see %s", first.Got(), seeStored)
			continue
		}
		for _, l := range j.Lookups() {
			if l.URI == p.Values[history.MemberURI] && l.Entry > first.Done && !j.submittedAgain(p, l.Entry) {
				j.judgeUnchanged(v, p, first, l)
			}
		}
	}
	return v.OpenUnlessJudged(nothing)
}

// submittedAgain reports whether a version was submitted once more before an entry and not refused.
func (j registries) submittedAgain(p *history.Publication, before record.Tick) bool {
	return slices.ContainsFunc(j.Publications(), func(q *history.Publication) bool {
		return q.Values[history.MemberURI] == p.Values[history.MemberURI] && q.Entry > p.Done &&
			q.Entry < before && !q.Refused()
	})
}

func (j registries) judgeUnchanged(v *verdict.Verdict, p *history.Publication, first, later *history.Lookup) {
	if later.AnswerError() != nil {
		v.Open = later.AnswerError()
		return
	}
	v.Judged++
	for _, name := range history.ValueNames() {
		if p.ValueIn(first.Record, name) && !p.ValueIn(later.Record, name) { // Stored judges a value that was never correct
			v.AddBreach([]record.Tick{p.Entry, first.Entry, later.Entry}, "a published version has changed",
				jsonvalue.Print(first.Record), later.Got())
			return
		}
	}
}

// NoText looks for the text of files in all records and events of a registry, plain or encoded. It looks
// for the marks of packages, which their prompts and tools contain, and for a word of their schemas.
func (j registries) NoText() verdict.Verdict {
	all, err := j.retrievablePublications()
	v := &verdict.Verdict{Open: err}
	if err != nil {
		return *v
	}
	marks := map[string]bool{}
	for _, s := range j.Packages() {
		marks[s.Mark] = true
	}
	check := func(entry record.Tick, object history.Object) {
		text := withDecodedParts(string(jsonvalue.Encode(object)))
		hasMark := slices.ContainsFunc(sample.Marks(text), func(mark string) bool { return marks[mark] })
		if hasMark || strings.Contains(text, sample.SchemaWord) {
			v.AddBreach([]record.Tick{entry}, "the text of the file is stored on the chain",
				"the four values, and the file on IPFS", jsonvalue.Clip(text))
		}
	}
	for _, l := range j.Lookups() {
		if slices.ContainsFunc(all, func(p *history.Publication) bool { return p.AnyValueIn(l.Record) }) {
			v.Judged++
		}
		check(l.Entry, l.Record)
	}
	seen := map[*history.Event]bool{}
	for _, t := range j.EventLists() {
		if t.AnswerError() != nil {
			v.Open = t.AnswerError()
		}
		for _, e := range t.Events {
			if !seen[e] {
				seen[e] = true
				check(t.Entry, e.Members)
			}
		}
	}
	return v.OpenUnlessJudged(verdict.Undecided("the registry returns nothing: see %s", seeStored))
}

// encodedText matches a text that could be hexadecimal or base64 and is longer than a hash or a CID.
var encodedText = regexp.MustCompile(`[A-Za-z0-9+/_-]{120,}`)

// withDecodedParts returns a text followed by those of its parts that can be decoded from hexadecimal or
// base64.
func withDecodedParts(text string) string {
	var all strings.Builder
	all.WriteString(text)
	for _, part := range encodedText.FindAllString(text, -1) {
		plain := strings.NewReplacer("-", "+", "_", "/").Replace(part)
		for _, decode := range []func(string) ([]byte, error){hex.DecodeString, base64.RawStdEncoding.DecodeString} {
			if raw, err := decode(plain); err == nil {
				all.WriteByte(' ')
				all.Write(raw)
			}
		}
	}
	return all.String()
}
