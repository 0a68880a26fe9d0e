package suites

import (
	"errors"
	"net/http"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
)

// noteHealth counts a call of the harness.
func noteHealth(h *reports.Health, e record.Entry, exchange driver.Exchange) {
	if e.Operation == "" || e.From != "" {
		return
	}
	request := e.Operation + " (" + e.Stimulus + ")"
	switch {
	case e.Error != nil && e.Error.Kind == record.Closed:
		h.Dropped.Add(request)
	case e.Error != nil && e.Error.Kind == record.TimedOut:
		h.Timeouts.Add(request)
	case e.Status >= http.StatusInternalServerError:
		h.ServerErrors.Add(request)
	}
	if ms := exchange.Took.Milliseconds(); ms > 0 {
		h.AddSlow(reports.Slow{Request: request, TookMS: ms})
	}
}

// addHealth adds to a report how the target answered, and notes on what went wrong.
func addHealth(report *reports.Report, health *reports.Health, info driver.Info, opened driver.Session) {
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
