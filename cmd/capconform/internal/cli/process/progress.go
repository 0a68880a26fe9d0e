package process

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/capconform/capconform/reports/console"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// Bar shows on a terminal the progress of a run, and what it is waiting for.
type Bar struct {
	*console.Progress
	done atomic.Int64
	stop func()

	mu      sync.Mutex
	last    int
	pending map[int]pending
}

// pending is a call, or the opening of a session, that has not ended.
type pending struct {
	what  func() string
	since time.Time
}

const (
	shortWait      = time.Second // shorter waits are not shown
	watchInterval  = 250 * time.Millisecond
	defaultColumns = 80 // columns of a terminal that does not report its width
)

func Progress(a *App, quiet bool) *Bar {
	columns := 0
	if _, seen := Terminal(a.Err); seen && !quiet {
		columns = cmp.Or(TerminalColumns(a.Err), defaultColumns)
	}
	b := &Bar{Progress: console.NewProgress(a.Err, columns), pending: map[int]pending{}, stop: func() {}}
	if columns > 0 {
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan struct{})
		b.stop = func() { cancel(); <-ended }
		go func() { defer close(ended); b.watch(ctx) }()
	}
	return b
}

// watch updates from time to time what the run is waiting for.
func (b *Bar) watch(ctx context.Context) {
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			b.Await(b.longest())
		}
	}
}

// longest describes the longest wait, or returns "" if no wait is long enough to mention.
func (b *Bar) longest() string {
	b.mu.Lock()
	var first pending
	for _, p := range b.pending {
		if first.what == nil || p.since.Before(first.since) {
			first = p
		}
	}
	b.mu.Unlock()
	if first.what == nil || time.Since(first.since) < shortWait {
		return ""
	}
	return fmt.Sprintf("%s, %d s", first.what(), int(time.Since(first.since).Seconds()))
}

// Wait enters a wait that began at the given time, and returns the function that ends it.
func (b *Bar) Wait(since time.Time, what func() string) (ended func()) {
	if b == nil {
		return func() {}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	number := b.last
	b.pending[number] = pending{what, since}
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.pending, number)
	}
}

// End removes the bar.
func (b *Bar) End() {
	b.stop()
	b.Progress.End()
}

// Event takes a progress report of the engine.
func (b *Bar) Event(e suites.Event) {
	if e.Case == nil {
		b.done.Store(0)
		b.Start(e.Total)
		return
	}
	b.Scenario(int(b.done.Add(1)))
}

// Watched closes its sessions if a second interrupt ends the command, and reports to the bar, if
// there is one, what the run waits for.
type Watched struct {
	driver.Driver
	App *App
	Bar *Bar
}

// Open implements driver.Driver.
func (w Watched) Open(ctx context.Context) (driver.Session, error) {
	defer w.Bar.Wait(time.Now(), func() string { return "the target to answer" })()
	session, err := w.Driver.Open(ctx)
	if err != nil {
		return nil, err
	}
	w.App.BeforeEnd(func() { _ = session.Close() })
	if w.Bar == nil {
		return session, nil
	}
	if able, ok := session.(interface{ Alive() bool }); ok {
		return awaitedAlive{reportedSession{session, w.Bar}, able}, nil
	}
	return reportedSession{session, w.Bar}, nil
}

// reportedSession is a session whose calls are reported to the bar.
type reportedSession struct {
	driver.Session
	bar *Bar
}

// Unwrap returns the session below.
func (s reportedSession) Unwrap() driver.Session { return s.Session }

// Call implements driver.Session.
func (s reportedSession) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	defer s.bar.Wait(time.Now(), func() string { return describe(op) })()
	return s.Session.Call(ctx, op)
}

// awaitedAlive is a session that can report whether it is still usable.
type awaitedAlive struct {
	reportedSession
	able interface{ Alive() bool }
}

// Alive reports whether the session below is usable.
func (l awaitedAlive) Alive() bool { return l.able.Alive() }

// describe returns the name of an operation, with the capability that it names.
func describe(op driver.Operation) string {
	var params struct {
		Ref struct {
			ID string `json:"capability_id"`
		} `json:"ref"`
		ID   string `json:"capability_id"`
		Name string `json:"name"`
	}
	_ = json.Unmarshal(slices.Concat(op.Params, op.Body), &params) // other params name no capability
	return strings.TrimSpace(op.Name + " " + cmp.Or(params.Ref.ID, params.ID, params.Name))
}
