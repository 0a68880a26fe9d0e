package console

import (
	"fmt"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/reports/nearest"
)

// nextStep is one thing that the reader can do.
type nextStep struct {
	text    string
	command string // to copy; may be empty
}

// nextSteps returns what the reader can do about the outcome, the most useful step first.
func nextSteps(r *reports.Report) []nextStep {
	var steps []nextStep
	run := r.Run
	if run.Stopped != nil {
		steps = append(steps, nextStep{text: "The run stopped: " + run.Stopped.Reason})
	}
	if run.Interrupted {
		steps = append(steps, nextStep{text: "The run was interrupted; the results until then are above."})
	}
	groups := r.Groups(run.Strict)
	if q := firstOf(groups, reports.FailedMark); q != nil {
		text := "What a requirement demands, and how to satisfy it:"
		if n := len(groups[0].Blocked); n > 0 {
			text = fmt.Sprintf("Mend %s first, which blocks %s. What it demands, and how to satisfy it:", q.ID,
				display.Plural(n, "other"))
		}
		steps = append(steps, nextStep{text, r.ExplainCommand(q.ID)})
	}
	if sentence, defect := nearest.Hint(r); sentence != "" {
		steps = append(steps, nextStep{sentence, "capconform explain " + defect})
	}
	if r.HasFault(reports.HarnessFault) {
		steps = append(steps,
			nextStep{text: "One of these is an error of capconform itself, not of the subject. Please report it."})
	}
	if r.HasFault(reports.DeadlineFault) && firstOf(groups, reports.ErrorMark) != nil {
		steps = append(steps, nextStep{text: "If the target is slow, allow more time with --call-timeout."})
	}
	if q := firstToSupply(groups); q != nil && r.Subject.Driver != "documents" && !run.Interrupted {
		steps = append(steps, supplyStep(r))
		if firstOf(groups, reports.FailedMark) == nil {
			steps = append(steps, nextStep{"What one of these needs:", r.ExplainCommand(q.ID)})
		}
	}
	switch {
	case len(r.Suites) == 0 && run.Stopped == nil && len(r.NotSpoken) > 0:
		steps = append(steps,
			nextStep{text: "The target speaks none of the protocols. Name one with --suite to have its absence judged."})
		if r.Subject.Driver == "http" {
			steps = append(steps, nextStep{text: "JSON-RPC is sent to the path /rpc below the URL, CHP to the paths of its HTTP " +
				"binding. A target file can name other paths (http: {rpc_path: PATH}, or bindings)."})
		}
	case run.Partial:
		steps = append(steps,
			nextStep{text: "Only a selection was examined. Run without a selection to learn whether the subject conforms."})
	}
	return steps
}

// supplyStep returns the step that supplies what an inconclusive requirement needs: the target file of
// the run, or the command that writes one for its target.
func supplyStep(r *reports.Report) nextStep {
	const write = "To supply what is missing, write a target file, and name it under roles (docs/implementers.md):"
	if file := r.TargetFile(); file != "" {
		return nextStep{"To supply what is missing, name it under roles in " + file + " (docs/implementers.md), then:",
			"capconform run " + file}
	}
	command := r.Run.Command
	if _, child, ok := strings.Cut(command, " -- "); ok {
		return nextStep{write, "capconform init -- " + child}
	}
	if last := command[strings.LastIndex(command, " ")+1:]; strings.Contains(last, "://") {
		return nextStep{write, "capconform init " + last}
	}
	return nextStep{write, "capconform init TARGET"}
}

// firstOf returns the first requirement with a mark.
func firstOf(groups []reports.Group, m reports.Mark) *reports.Requirement {
	for _, g := range groups {
		if g.Mark == m {
			return g.Requirements[0]
		}
	}
	return nil
}

// firstToSupply returns the first inconclusive requirement that no cause blocks.
func firstToSupply(groups []reports.Group) *reports.Requirement {
	blocked := map[*reports.Requirement]bool{}
	for _, g := range groups {
		for _, q := range g.Blocked {
			blocked[q] = true
		}
	}
	for _, g := range groups {
		for _, q := range g.Requirements {
			if g.Mark == reports.InconclusiveMark && !blocked[q] {
				return q
			}
		}
	}
	return nil
}

// next prints a step. Its command stays on one line.
func (p *page) next(s nextStep) {
	text := display.TerminalText(s.text)
	command := display.TerminalCommand(s.command)
	if s.command != "" && display.Columns("  "+text+" "+command) <= p.width {
		p.line("  %s %s", text, p.paint(bold, command))
		return
	}
	for _, l := range display.WrapUpTo(text, p.width-2, messageLines) {
		p.line("  %s", l)
	}
	if s.command != "" {
		p.line("    %s", p.paint(bold, strings.TrimSpace(command)))
	}
}
