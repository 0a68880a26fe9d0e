package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Health says how the target answered the calls of a run, whatever the answers say.
type Health struct {
	Dropped      Trouble `json:"dropped_connections"`
	ServerErrors Trouble `json:"server_errors"` // answers with an HTTP status of 500 or above
	Timeouts     Trouble `json:"timeouts"`
	Restarts     int     `json:"restarts"`         // how often the target ended during a call and was opened again
	Ending       string  `json:"ending,omitempty"` // why the last such call has no answer
	Noise        Noise   `json:"noise"`
	Slowest      []Slow  `json:"slowest"` // at most SlowestShown, the slowest first
}

// Trouble is how often something went wrong, and the first requests that it happened to.
type Trouble struct {
	Times    int      `json:"times"`
	Requests []string `json:"requests"` // at most requestsShown, such as "chp.invoke (no-envelope)"
}

// Noise is what a child wrote to its standard output besides messages.
type Noise struct {
	Lines int    `json:"lines"`
	First string `json:"first,omitempty"` // the first line, secrets masked
}

// Slow is a call and how long its answer took, in milliseconds.
type Slow struct {
	Request string `json:"request"`
	TookMS  int64  `json:"took_ms"`
}

// The numbers of requests in a Health.
const (
	SlowestShown  = 3
	requestsShown = 3
)

// Add counts one more request.
func (t *Trouble) Add(request string) {
	t.Times++
	if len(t.Requests) < requestsShown && !slices.Contains(t.Requests, request) {
		t.Requests = append(t.Requests, request)
	}
}

// AddSlow adds a call to the slowest if it is one of them.
func (h *Health) AddSlow(s Slow) {
	at := slices.IndexFunc(h.Slowest, func(other Slow) bool { return other.TookMS < s.TookMS })
	if at < 0 {
		at = len(h.Slowest)
	}
	if at < SlowestShown {
		h.Slowest = slices.Insert(h.Slowest, at, s)
		h.Slowest = h.Slowest[:min(len(h.Slowest), SlowestShown)]
	}
}

// Merge adds the health of another part of a run.
func (h *Health) Merge(other *Health) {
	for into, from := range map[*Trouble]Trouble{
		&h.Dropped: other.Dropped, &h.ServerErrors: other.ServerErrors, &h.Timeouts: other.Timeouts,
	} {
		times := into.Times + from.Times
		for _, request := range from.Requests {
			into.Add(request)
		}
		into.Times = times
	}
	h.Restarts += other.Restarts
	h.Ending = cmp.Or(other.Ending, h.Ending)
	if h.Noise.Lines == 0 {
		h.Noise.First = other.Noise.First
	}
	h.Noise.Lines += other.Noise.Lines
	for _, s := range other.Slowest {
		h.AddSlow(s)
	}
}

// Sentence says in one line what went wrong, "" if nothing did.
func (h *Health) Sentence() string {
	var all []string
	for _, one := range []struct {
		Trouble
		once, often string
	}{
		{h.Dropped, "dropped connection", "dropped connections"},
		{h.ServerErrors, "answer with status 5xx", "answers with status 5xx"},
		{h.Timeouts, "timeout", "timeouts"},
	} {
		what := one.often
		if one.Times == 1 {
			what = one.once
		}
		if one.Times > 0 {
			all = append(all, fmt.Sprintf("%d %s (%s)", one.Times, what, strings.Join(one.Requests, ", ")))
		}
	}
	if h.Restarts > 0 {
		ended := "the target ended once during a call, and was opened again: "
		if h.Restarts > 1 {
			ended = fmt.Sprintf("the target ended %d times during calls, and was opened again; the last time: ", h.Restarts)
		}
		all = append(all, ended+h.Ending)
	}
	if len(all) == 0 {
		return ""
	}
	return "health: " + strings.Join(all, "; ")
}

// noisy reports whether the target wrote lines to its standard output that are no messages.
func (r *Report) noisy() bool { return r.Run.Health != nil && r.Run.Health.Noise.Lines > 0 }

// Sentence says how much noise there was, "" if there was none.
func (n Noise) Sentence() string {
	if n.Lines == 0 {
		return ""
	}
	const otherwise = "; other clients may fail at it (--strict counts this as a failure)"
	if n.Lines == 1 {
		return fmt.Sprintf("stdout contains a line that is not a message: %q", n.First) + otherwise
	}
	return fmt.Sprintf("stdout contains %d lines that are not messages, the first: %q", n.Lines, n.First) + otherwise
}
