package judge

import (
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
)

// description is an answer of chp.host or chp.capabilities.
type description struct {
	*history.Description
	operation string
	first     bool // of the operation
	in        *evidence
}

// descriptionKinds are the answers of each of the two operations: a requirement on one does not read the other.
func descriptionKinds() []*rule.Kind {
	return []*rule.Kind{descriptionKind("host_answer", (*evidence).hostAnswers),
		descriptionKind("discovery_answer", (*evidence).discoveryAnswers)}
}

func descriptionKind(name string, list func(*evidence) []description) *rule.Kind {
	k := rule.NewKind(name, list,
		func(d description) []record.Tick { return []record.Tick{d.Entry} },
		rule.Flag("is_repeated", func(d description) bool { return d.Same != d.Entry }), // an equal answer came before
		rule.Flag("is_first", func(d description) bool { return d.first }),
		rule.Flag("follows_restart", func(d description) bool { return d.Stimulus == history.Restart }),
		rule.Value("result", func(d description) any { return orNone(d.Result) }).InAnswer(),
		rule.Value("capabilities", func(d description) any { return d.Result["capabilities"] }).InAnswer(),
		rule.Text("answer", func(d description) string { return d.Got() }), // for messages
	)
	return rule.Losing(k, func(d description) *rule.Gap {
		gap := d.in.lostGap(&d.Call)
		if gap != nil {
			gap.Blocks = false // the others show what the host declares
		}
		return gap
	})
}

func (j *evidence) hostAnswers() []description { return j.described(j.Hosts(), history.OpHost) }

func (j *evidence) discoveryAnswers() []description {
	return j.described(j.Lists(), history.OpCapabilities)
}

func (j *evidence) described(these []*history.Description, operation string) []description {
	var all []description
	for i, d := range these {
		all = append(all, description{d, operation, i == 0, j})
	}
	return all
}

// orNone returns an object, or nil if there is none.
func orNone(o history.Object) any {
	if o == nil {
		return nil
	}
	return o
}
