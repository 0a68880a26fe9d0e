package judge

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// routeSentences are the sentences about the routing of messages.
var routeSentences = []verdict.Sentence[routes]{
	decide(`each message reaches the package whose own trigger it matches`, routes.OwnTriggers),
	decide(`the router obeys each /back before it tests the triggers`, routes.GoesBack),
	decide(`the router obeys each /switch before it tests the triggers`, routes.Switches),
	decide(`each message that the active capability matches stays with it`, routes.ActiveKeeps),
	decide(`each message that the active capability does not match reaches the one that does`, routes.OthersReached),
	decide(`each message of a conversation with two packages reaches the one whose trigger it matches`,
		routes.Alternates),
	decide(`each message that no trigger matches is answered without a capability`, routes.Fallback),
	decide(`each capability for which a tool reports done leaves the stack, and no other does`, routes.Done),
	decide(`each capability that takes too long is stopped and leaves the stack`, routes.GivenUp),
	decide(`/back never leads to a capability that lost a message`, routes.Replaced),
}

// turnsOf returns the messages of some stimuli that belong to one case.
func (j routes) turnsOf(kind string, stimuli ...string) []*history.Turn {
	return slices.DeleteFunc(j.Turns(), func(t *history.Turn) bool {
		return t.About[history.AboutCase] != kind || !slices.Contains(stimuli, t.Stimulus)
	})
}

// judgeReached judges whether each message of a case reaches the package for which it is meant.
func (j routes) judgeReached(v *verdict.Verdict, kind, message string, stimuli ...string) {
	for _, t := range j.turnsOf(kind, stimuli...) {
		to := j.CasePackage(t)
		switch {
		case t.Lost != nil || to == nil || kind == history.CaseLongMessage && t.Refused():
		case t.Reaches(to) || j.requestWithoutMessage(t) != nil: // MessagesShown judges whether the model receives the message
			v.Judged++
		case (kind == history.CaseOwnTrigger || kind == history.CaseLongMessage) && len(j.FetchesOf(to.CID)) == 0:
			v.Open = verdict.Undecided("the package was never downloaded, so no message can reach it: see ACP-INST-01")
		default:
			j.addMisrouted(v, t, message, to.ID)
		}
	}
}

// addMisrouted adds a breach for a message that reached another package than it must. The question stays
// open if the subject asked a model about it, or if the subject shows that another author's capability
// received it.
func (j routes) addMisrouted(v *verdict.Verdict, t *history.Turn, message, want string) {
	if foreign := j.foreignActive(t); foreign != "" {
		v.Open = &verdict.Inconclusive{
			Reason: "a capability of another author receives the message: " + jsonvalue.Clip(foreign),
			Supply: "uninstall it for the run: its triggers also match messages for other capabilities",
		}
		return
	}
	if j.modelConsulted(t) {
		v.Open = &verdict.Inconclusive{
			Reason: "the subject asks a model which capability a message is for, and the model of the harness has no opinion",
			Supply: "make the router use the triggers if the model names no capability and answers neither yes nor no",
		}
		return
	}
	v.AddBreach(t.Entries(), message, want, idsOf(t.Reached()))
}

// foreignActive returns the capability on top of the stack of a conversation after a message, if
// acp.state shows it and it is not one of the harness; "" otherwise.
func (j routes) foreignActive(t *history.Turn) string {
	for _, c := range j.Calls(history.OpState) {
		if c.Entry < t.Done || c.Params["conversation"] != t.Conversation {
			continue
		}
		stack := c.Stack()
		if len(stack) == 0 {
			return ""
		}
		top := stack[len(stack)-1]
		isSample := slices.ContainsFunc(j.Packages(),
			func(p *sample.Package) bool { return strings.HasPrefix(top, p.CapURI("")) })
		if isSample || !history.IsCapabilityURI(top) {
			return ""
		}
		return top
	}
	return ""
}

// modelConsulted reports whether the router asked a model which package a message is for. Such a request
// contains words of a package that no message contains, and no package acts in it. The model of the
// harness then gives no opinion, so the routing that follows proves nothing.
func (j routes) modelConsulted(t *history.Turn) bool {
	return slices.ContainsFunc(t.ModelRequests, func(q *history.ModelRequest) bool {
		return len(q.Acting) == 0 && slices.ContainsFunc(j.Packages(), func(p *sample.Package) bool {
			return slices.ContainsFunc([]string{p.Label, "please " + p.Word, p.Name, p.Description}, func(word string) bool {
				return word != "" && strings.Contains(q.Text(), word)
			})
		})
	})
}

// conclude returns a verdict on stimuli. If one of them was not performed, the verdict states why.
func (j routes) conclude(v *verdict.Verdict, stimuli ...string) verdict.Verdict {
	for _, s := range stimuli {
		if err := j.reasonNothingShown(s); err != nil && v.Open == nil {
			v.Open = err
		}
	}
	return *v
}

// OwnTriggers judges whether a message reaches the only package whose trigger it matches.
func (j routes) OwnTriggers() verdict.Verdict {
	v := &verdict.Verdict{}
	stimuli := []string{history.OwnExpressions, history.OwnKeywords}
	const message = "a message does not reach the only package whose trigger matches it"
	j.judgeReached(v, history.CaseOwnTrigger, message, append(slices.Clone(stimuli), history.ToolsOfOneName)...)
	j.judgeReached(v, history.CaseLongMessage, message, stimuli...)
	sent := map[*sample.Package]int{}
	for _, t := range j.turnsOf(history.CaseOwnTrigger, history.PackageUnreached) {
		p := j.CasePackage(t)
		if sent[p]++; p != nil && sent[p] > 1 && len(j.TurnsReaching(p.Mark)) == 0 {
			j.addMisrouted(v, t, "no message reaches an installed package whose trigger matches it", p.ID)
		}
	}
	return j.conclude(v, stimuli...)
}

// Alternates judges a conversation that changes from one package to another and back.
func (j routes) Alternates() verdict.Verdict {
	v := &verdict.Verdict{}
	j.judgeReached(v, history.CaseOwnTrigger, "a message does not reach the only package whose trigger matches it",
		history.Alternating)
	return j.conclude(v, history.Alternating)
}

// ActiveKeeps judges whether a message that the active capability matches stays with it.
func (j routes) ActiveKeeps() verdict.Verdict {
	v := &verdict.Verdict{}
	stimuli := []string{history.TopByEither, history.TopByKeyword}
	j.judgeReached(v, history.CaseStillActive,
		"the router passes a message that the active capability matches to another capability", stimuli...)
	return j.conclude(v, stimuli...)
}

// OthersReached judges whether a message that the active capability does not match reaches the
// one that does.
func (j routes) OthersReached() verdict.Verdict {
	v := &verdict.Verdict{}
	j.judgeReached(v, history.CaseOwnTrigger, "a message that only another capability matches does not reach it",
		history.TriggerOfOther)
	return j.conclude(v, history.TriggerOfOther)
}

// judgeCommand judges whether the router obeys a command before it tests the triggers.
func (j routes) judgeCommand(v *verdict.Verdict, stimulus string) {
	for _, t := range j.turnsOf(history.CaseCommand, stimulus) {
		acting := t.Reached()
		if t.Lost != nil && len(acting) == 0 {
			continue // nothing shows what the router does with it
		}
		v.Judged++
		if len(acting) > 0 {
			command, _, _ := strings.Cut(t.Text, " ")
			v.AddBreach(t.Entries(), "the command "+command+" is routed to a capability whose trigger matches it",
				"a command that the router obeys",
				"a request to the model for "+idsOf(acting))
		}
	}
}

// GoesBack judges whether the router obeys /back, and whether /back in one conversation leaves the stack
// of another conversation unchanged.
func (j routes) GoesBack() verdict.Verdict {
	v := &verdict.Verdict{}
	j.judgeCommand(v, history.BackCommand)
	j.judgeLeft(v, history.BackCommand)
	j.judgeReached(v, history.CaseStillActive, "a /back in another conversation removes a capability from the stack",
		history.BackInOtherConversation)
	return j.conclude(v, history.BackCommand)
}

// Switches judges whether the router obeys /switch and makes the other capability active.
func (j routes) Switches() verdict.Verdict {
	v := &verdict.Verdict{}
	j.judgeCommand(v, history.SwitchCommand)
	routed := len(v.Breaches)
	j.judgeReached(v, history.CaseSwitched, "the capability to which the user switched is not on top of the stack",
		history.SwitchCommand)
	for i := range v.Breaches[routed:] {
		v.Breaches[routed+
			i].Hint = "if the argument of /switch is not the name in the capability URI, state it in the target file: switch: '{cap_uri}'"
	}
	return j.conclude(v, history.SwitchCommand)
}

// judgeLeft judges whether capabilities left the stack. If acp.state shows the stack without the
// capability, that is sufficient. Otherwise a message that reaches another package in a new conversation
// must not reach the capability.
func (j routes) judgeLeft(v *verdict.Verdict, stimuli ...string) {
	for _, c := range j.Calls(history.OpState) {
		if c.About[history.AboutCase] != history.CaseNotActive || !slices.Contains(stimuli, c.Stimulus) {
			continue
		}
		conversation, _ := c.Params["conversation"].(string)
		active := j.ActivePackage(conversation, c.Entry)
		if active == nil {
			continue
		}
		if history.HasLeft(c.Stack(), active) {
			v.Judged++
			continue
		}
		turns := slices.DeleteFunc(j.turnsOf(history.CaseNotActive, c.Stimulus),
			func(t *history.Turn) bool { return t.Conversation != conversation })
		for _, t := range turns {
			switch {
			case t.Lost != nil:
			case !t.Reaches(active):
				v.Judged++
			case j.winsNewConversation(active, t):
				v.Open = verdict.Undecided("the choice between two packages that match a message changes from time to time, so nothing shows which one is active")
			default:
				j.addMisrouted(v, t, "a capability that left the stack is still on top of it",
					"another capability, as in a new conversation")
			}
		}
	}
}

// winsNewConversation reports whether a package also receives the message in new conversations after a
// turn. Which package wins may depend on recent use, load or chance.
func (j routes) winsNewConversation(p *sample.Package, turn *history.Turn) bool {
	return slices.ContainsFunc(j.turnsOf(history.CaseNewConversation, turn.Stimulus), func(t *history.Turn) bool {
		return t.Entry > turn.Done && t.Reaches(p)
	})
}

// Fallback judges whether a message that no trigger matches is answered without a capability.
func (j routes) Fallback() verdict.Verdict {
	v := &verdict.Verdict{}
	for _, t := range j.turnsOf(history.CaseNoTrigger, history.NoTriggerMatches) {
		switch {
		case len(t.Reached()) > 0:
			j.addMisrouted(v, t, "a message that no trigger matches is routed to a capability", "an answer without one")
		case t.Outcome == record.NotProvided:
			v.Open = verdict.Undecided("the subject does not serve acp.message: see ACP-EXEC-01")
		case t.Lost != nil:
			v.Open = t.AnswerError()
		case !t.Returned() || t.Reply == "" && len(t.ModelRequests) == 0:
			v.AddBreach(t.Entries(), "a message that no trigger matches is not answered",
				"a text, or a request to the model without any package", t.Got())
		default:
			v.Judged++
		}
	}
	return j.conclude(v, history.NoTriggerMatches)
}

// Done judges whether each capability for which a tool reports done leaves the stack, and no other does.
func (j routes) Done() verdict.Verdict {
	v := &verdict.Verdict{}
	stimuli := []string{history.DoneReported, history.DoneInOtherConversation, history.DoneAbove}
	j.judgeLeft(v, stimuli...)
	j.judgeReached(v, history.CaseStillActive, "a capability leaves the stack although no tool reported done", stimuli...)
	acted, missed := map[*sample.Package]bool{}, map[*sample.Package]int{}
	for _, t := range j.turnsOf(history.CaseActivates, stimuli...) {
		p := j.CasePackage(t)
		switch {
		case p == nil || t.Lost != nil:
		case t.Reaches(p):
			acted[p], missed[p] = true, 0
		case acted[p]:
			if missed[p]++; missed[p] == 2 {
				j.addMisrouted(v, t, "no message reaches a capability after it left the stack", p.ID)
			}
		}
	}
	return j.conclude(v, stimuli...)
}

// GivenUp judges whether a capability that takes too long is stopped and leaves the stack.
func (j routes) GivenUp() verdict.Verdict {
	v := &verdict.Verdict{}
	for _, t := range j.turnsOf(history.CaseHangs, history.ToolThatHangs) {
		called := slices.ContainsFunc(j.Executions(),
			func(e *history.Execution) bool { return e.Turn == t && len(e.ServiceCalls) > 0 })
		asked := t.About[history.AboutForm] == history.FormModel && len(t.ModelRequests) > 0
		if (called || asked) && t.Fault == record.TimedOut {
			v.AddBreach(t.Entries(), "a capability that takes too long is not stopped",
				"the end of the turn after capability_ms, or not much later", "no end")
		}
	}
	j.judgeLeft(v, history.ToolThatHangs)
	j.judgeReached(v, history.CaseOtherPackage, "a package no longer acts after another one took too long",
		history.ToolThatHangs)
	for _, c := range j.Calls(history.OpState) {
		if p := j.uninstalledBy(c); p != nil && c.Stimulus == history.ToolThatHangs {
			v.AddBreach([]record.Tick{c.Entry}, "a capability that took too long is no longer installed",
				"installed: [..., "+p.ID+"]", c.Got())
		}
	}
	return j.conclude(v, history.ToolThatHangs)
}

// uninstalledBy returns the package that was active in a conversation and that the subject no longer
// shows as installed although it did before; nil if there is none.
func (j routes) uninstalledBy(c *history.Call) *sample.Package {
	conversation, _ := c.Params["conversation"].(string)
	p, shown := j.ActivePackage(conversation, c.Entry), c.Installed()
	if p == nil || shown == nil || slices.Contains(shown, p.ID) {
		return nil
	}
	wasInstalled := slices.ContainsFunc(j.Calls(history.OpState), func(before *history.Call) bool {
		return before.Entry < c.Entry && before.Stimulus == c.Stimulus && slices.Contains(before.Installed(), p.ID)
	})
	if !wasInstalled {
		return nil
	}
	return p
}

// Replaced judges whether /back leads to a capability that lost a message.
func (j routes) Replaced() verdict.Verdict {
	v := &verdict.Verdict{}
	j.judgeLeft(v, history.LostMessage)
	return j.conclude(v, history.LostMessage)
}
