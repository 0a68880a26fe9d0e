package suites

import (
	"errors"
	"net/http"
	"sync"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/recording"
)

// tally counts how a target answers. It is safe for concurrent use: a call that is left behind may end after the run.
type tally struct {
	mu     sync.Mutex
	health reports.Health
}

// note counts a call of the harness.
func (t *tally) note(e record.Entry, exchange driver.Exchange) {
	if e.Operation == "" || e.From != "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	h := &t.health
	request := e.Operation + " (" + e.Stimulus + ")"
	switch {
	case e.Error != nil && e.Error.Kind == record.Closed:
		h.Dropped.Add(request)
	case e.Error != nil && e.Error.Kind == record.TimedOut && e.About[recording.AboutBody] != "":
		// Silence may be the right answer to a whole message: the suite judges it.
	case e.Error != nil && e.Error.Kind == record.TimedOut:
		h.Timeouts.Add(request)
	case e.Status >= http.StatusInternalServerError:
		h.ServerErrors.Add(request)
	}
	if ms := exchange.Took.Milliseconds(); ms > 0 {
		h.AddSlow(reports.Slow{Request: request, TookMS: ms})
	}
}

// copied returns what was counted so far.
func (t *tally) copied() *reports.Health {
	t.mu.Lock()
	defer t.mu.Unlock()
	health := &reports.Health{}
	health.Merge(&t.health)
	return health
}

// addHealth adds to a report how the target answered, and notes on what went wrong.
func addHealth(report *reports.Report, t *tally, info driver.Info, opened driver.Session) {
	health := t.copied()
	health.Noise = reports.Noise(info.Noise)
	times, last := endingsOf(opened)
	if health.Restarts = times; times > 0 {
		health.Ending = reasonOf(last)
	}
	report.Run.Health = health
	for _, note := range []string{health.Sentence(), health.Noise.Sentence()} {
		if note != "" {
			report.Notes = append(report.Notes, note)
		}
	}
}

// reasonOf returns what happened during a call without an answer.
func reasonOf(err error) string {
	if failed := (*driver.CallError)(nil); errors.As(err, &failed) && failed.Detail != "" {
		return failed.Detail
	}
	return err.Error()
}
