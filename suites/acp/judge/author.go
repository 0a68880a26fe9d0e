package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/acp/content"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// authorSentences are the sentences about the authors of a registry.
var authorSentences = []verdict.Sentence[registries]{
	decide(`no other author publishes under a name that is taken`, registries.OtherAuthorRefused),
	decide(`each publication without an author is refused`, judgeUnproven(history.ByNobody)),
	decide(`each publication with a key that is not the author's is refused`, judgeUnproven(history.ByOtherKey)),
}

// judgeUnproven returns the judgement on publications that lack the proof of their author.
func judgeUnproven(submitter string) func(registries) verdict.Verdict {
	return func(j registries) verdict.Verdict { return j.UnprovenRefused(submitter) }
}

// OtherAuthorRefused judges each publication under a name that another author had published before. As
// positive controls, the other author must be able to publish under a free name, and the first author
// must be able to publish a further version.
func (j registries) OtherAuthorRefused() verdict.Verdict {
	v := &verdict.Verdict{Open: j.Conclusion(history.PublishedByOther)}
	all, err := j.acceptedPublications()
	if v.Open == nil {
		v.Open = err
	}
	if v.Open != nil {
		return *v
	}
	otherAccepted, ownerAccepted := false, false
	for _, p := range j.Publications() {
		owner := j.firstUnderName(p, all)
		switch {
		case owner == nil:
			otherAccepted = otherAccepted || p.Returned() && p.About[history.AboutBy] == history.ByOtherAuthor
		case p.Author == owner.Author:
			ownerAccepted = ownerAccepted || p.Returned() && p.Valid()
		case p.HasProof():
			j.judgeRefused(v, p, "another author publishes a version of a name that is taken")
		}
	}
	if !otherAccepted || !ownerAccepted {
		v.Open = verdict.Undecided("the registry refuses a valid package: %s", j.lastRefusal())
	}
	return v.OpenUnlessJudged(verdict.Undecided("no other author published under a name that is taken"))
}

// firstUnderName returns the first publication under the same name that ended before p began, nil if
// there is none.
func (j registries) firstUnderName(p *history.Publication, accepted []*history.Publication) *history.Publication {
	i := slices.IndexFunc(accepted, func(q *history.Publication) bool { return q.Name() == p.Name() && q.Done < p.Entry })
	if i < 0 {
		return nil
	}
	return accepted[i]
}

// lastRefusal describes, in one line, how the registry refused the last valid package that it refused.
func (j registries) lastRefusal() string {
	for _, p := range slices.Backward(j.Publications()) {
		if p.Valid() && !p.Returned() {
			return p.Got()
		}
	}
	return "nothing was published"
}

// judgeRefused judges whether the registry refused a publication and stored no record of it.
func (j registries) judgeRefused(v *verdict.Verdict, p *history.Publication, what string) {
	switch {
	case j.ClosedInsteadOfAnswer(p.Call):
	case p.AnswerError() != nil:
		v.Open = p.AnswerError()
		return
	case !p.Refused():
		v.AddBreach([]record.Tick{p.Entry}, what, "an error", p.Got())
		return
	}
	v.Judged++
	for _, l := range j.Lookups() {
		if l.URI != p.Values[history.MemberURI] || l.Entry < p.Done || j.submittedAgain(p, l.Entry) {
			continue
		}
		if l.AnswerError() != nil {
			v.Open = l.AnswerError()
		}
		if got, _ := l.Record[history.MemberCID].(string); got != "" && content.SameCID(got, p.Values[history.MemberCID]) {
			v.AddBreach([]record.Tick{p.Entry, l.Entry}, what+": it is refused but stored", "no record of it", l.Got())
		}
	}
}

// UnprovenRefused judges each publication that lacks the proof of its author: it has no author, or is
// signed with another key. As the positive control, the registry must accept the same values later from
// their author.
func (j registries) UnprovenRefused(by string) verdict.Verdict {
	stimulus := map[string]string{history.ByNobody: history.PublishedByNobody,
		history.ByOtherKey: history.PublishedWithOtherKey}[by]
	v := &verdict.Verdict{Open: j.Conclusion(stimulus)}
	all, err := j.acceptedPublications()
	if v.Open == nil {
		v.Open = err
	}
	if v.Open != nil {
		return *v
	}
	controlled := false
	for _, p := range j.Publications() {
		if p.About[history.AboutBy] == by {
			controlled = controlled ||
				slices.ContainsFunc(all, func(q *history.Publication) bool { return q.HasSameValues(p) && q.Entry > p.Done })
			j.judgeRefused(v, p, "a package is published without proof of its author")
		}
	}
	if !controlled {
		v.Open = verdict.Undecided("the registry refuses a valid package: %s", j.lastRefusal())
	}
	return v.OpenUnlessJudged(verdict.Undecided("nothing was published without proof of its author"))
}
