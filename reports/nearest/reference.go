// Package nearest finds what a failure of a report is nearest to: the exchange of the reference that most resembles the
// one that failed, and the known defects that break the same requirements in the same way. It reads data of the program
// alone, sends nothing and interprets nothing of a report but its JSON.
package nearest

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/capconform/capconform/reference/corpus"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/record"
)

// Reference has the exchanges of a recorded run of the reference.
type Reference struct {
	calls map[string][]call // by operation
}

// call is an exchange of the reference.
type call struct {
	sent, answer             any
	size                     int // of both as JSON
	sentFeatures, asFeatures set
}

// mostRead bounds the bodies of a recorded run that are compared, in bytes.
const mostRead = 4 << 20

// ReferenceFor reads the part of the recorded run of a suite that can be compared with the failures of its report. It
// returns nil without an error if nothing can: as for a text of one's own, of which the program has no run.
func ReferenceFor(s *reports.Suite) (*Reference, error) {
	wanted := map[string]bool{}
	for _, q := range s.Requirements {
		for _, sc := range q.Scenarios {
			if sc.Failure == nil {
				continue
			}
			for _, e := range sc.Failure.Exchanges {
				wanted[e.Operation] = true
			}
		}
	}
	if len(wanted) == 0 || s.TextDigest != "" {
		return nil, nil
	}
	return referenceOf(s.Suite, wanted)
}

func referenceOf(suite string, wanted map[string]bool) (*Reference, error) {
	in, err := corpus.Record(suite, "fixtures")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("nearest: %w", err)
	}
	defer in.Close() // it was read to its end, or the error is returned
	stored, err := record.Read(in)
	if err != nil {
		return nil, fmt.Errorf("nearest: %w", err)
	}
	defer stored.Close() // nothing is read from it any more
	r, read := &Reference{calls: map[string][]call{}}, 0
	for e, err := range stored.Entries() {
		if err != nil {
			return nil, fmt.Errorf("nearest: %w", err)
		}
		if !wanted[e.Operation] {
			continue
		}
		if c, is := callOf(e); is {
			r.calls[e.Operation] = append(r.calls[e.Operation], c)
			read += c.size
		}
		if read > mostRead {
			break
		}
	}
	return r, nil
}

// callOf returns the exchange of an entry, if the harness called the reference and got a message.
func callOf(e record.Entry) (call, bool) {
	if e.Operation == "" || e.Party != record.Target || e.From != "" {
		return call{}, false
	}
	sent, size, known := valueOf(e.Sent)
	if !known {
		return call{}, false
	}
	answer, further, known := valueOf(e.Received)
	switch {
	case known && e.Outcome == record.Returned:
	case e.Error != nil && e.Error.Kind == "":
		answer = map[string]any{"error": errorOf(e.Error)}
	default:
		return call{}, false
	}
	return call{sent: sent, answer: answer, size: size + further, sentFeatures: featuresOf(sent), asFeatures: featuresOf(answer)}, true
}

func valueOf(b *record.Body) (v any, size int, known bool) {
	if !b.IsJSON() {
		return nil, 0, false
	}
	text, err := b.Text()
	if err != nil {
		return nil, 0, false
	}
	v, known = decoded(string(text))
	return v, len(text), known
}

// errorOf returns an error in the form of JSON-RPC.
func errorOf(f *record.Fault) map[string]any {
	members := map[string]any{"message": f.Message}
	if f.Code != "" {
		members["code"] = f.Code
	} else {
		members["code"] = f.Number
	}
	if data, known := decoded(string(f.Data)); known {
		members["data"] = data
	}
	return members
}

// Pair is an exchange of a report beside the nearest one of the reference.
type Pair struct {
	Exchange reports.Exchange // of the report
	Sent     string           // the params of the reference
	Lines    []Line           // both answers, member by member: where they differ
}

// Differs reports whether a line of the pair has a mark.
func (p *Pair) Differs() bool { return marked(p.Lines) }

// What the reader of a pair must know.
const (
	Legend = "The answers: - only in yours, + only in that of the reference, ~ another value. " +
		"Not every difference is wrong."
	NoDifference = "The answers have the same members with the same values, except for ids, times and numbers. " +
		"What is wrong shows only in the whole run."
)

// Text returns the lines.
func (p *Pair) Text() string {
	var out strings.Builder
	for _, l := range p.Lines {
		fmt.Fprintf(&out, "%c %s%s", l.Mark, strings.Repeat("  ", l.Depth), l.Text)
		if l.Theirs != "" {
			fmt.Fprintf(&out, "   (reference: %s)", l.Theirs)
		}
		out.WriteString("\n")
	}
	return out.String()
}

// Pair returns the last exchange of a failure that differs from the reference, or else the last one that can be
// compared. It returns nil if none can be: because the report keeps only a part of it, or the reference has no such
// operation.
func (r *Reference) Pair(f *reports.Failure) *Pair {
	if r == nil || f == nil {
		return nil
	}
	var alike *Pair
	for i := len(f.Exchanges) - 1; i >= max(0, len(f.Exchanges)-pairsTried); i-- {
		p := r.pair(f.Exchanges[i])
		if p != nil && p.Differs() {
			return p
		}
		if alike == nil {
			alike = p
		}
	}
	return alike
}

// pairsTried bounds the exchanges of a failure that are compared.
const pairsTried = 8

func (r *Reference) pair(e reports.Exchange) *Pair {
	if e.Params == nil || !e.Params.Whole() || !e.Received.Whole() || e.Received.Text == "" {
		return nil
	}
	sent, known := decoded(e.Params.Text)
	if !known {
		return nil
	}
	answer, known := decoded(e.Received.Text)
	if known {
		answer = withoutEnvelope(answer)
	} else {
		answer = e.Received.Text
	}
	best := r.nearest(e.Operation, featuresOf(sent), featuresOf(answer))
	if best == nil {
		return nil
	}
	c := comparison{mine: encoded(sent), theirs: encoded(best.sent)}
	c.compare("", answer, best.answer, 0)
	return &Pair{Exchange: e, Sent: printed(best.sent), Lines: c.kept()}
}

// nearest returns the call whose params resemble those of an exchange the most, and among those the one whose answer
// does: what was sent decides what a host must answer.
func (r *Reference) nearest(operation string, sent, answer set) *call {
	var best *call
	leastSent, leastAnswer := 0, 0
	for i := range r.calls[operation] {
		c := &r.calls[operation][i]
		ofSent := sent.distance(c.sentFeatures)
		if best != nil && ofSent > leastSent {
			continue
		}
		ofAnswer := answer.distance(c.asFeatures)
		if best == nil || ofSent < leastSent || ofAnswer < leastAnswer {
			best, leastSent, leastAnswer = c, ofSent, ofAnswer
		}
	}
	return best
}

// withoutEnvelope returns the result or the error in a message of JSON-RPC, and the structured content in a result of a
// tool of MCP. Any other answer is returned as it is.
func withoutEnvelope(answer any) any {
	message, is := answer.(map[string]any)
	if !is || message["jsonrpc"] == nil {
		return answer
	}
	if failed, known := message["error"]; known {
		return map[string]any{"error": failed}
	}
	result, known := message["result"]
	if !known {
		return answer
	}
	if members, is := result.(map[string]any); is && members["structuredContent"] != nil {
		return members["structuredContent"]
	}
	return result
}
