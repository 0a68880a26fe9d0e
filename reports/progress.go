package reports

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// Progress shows how far a run is, on stderr: a bar on a terminal, nothing
// elsewhere. It is safe for concurrent use. What it writes is lost where w
// fails, since a run must not end for its bar.
type Progress struct {
	mu       sync.Mutex
	w        io.Writer
	terminal bool
	total    int
	done     int
	shown    string
}

// NewProgress makes a bar that writes to w. The caller says whether w is a terminal.
func NewProgress(w io.Writer, terminal bool) *Progress {
	return &Progress{w: w, terminal: terminal}
}

// Start shows an empty bar for so many scenarios.
func (p *Progress) Start(total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total, p.done, p.shown = total, 0, ""
	p.draw()
}

// Scenario says that so many scenarios are done. Lower numbers than one that
// was given already are ignored, so calls may come in any order.
func (p *Progress) Scenario(done int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if done > p.done {
		p.done = min(done, p.total)
		p.draw()
	}
}

// End takes the bar away. Nothing is drawn after it until the next Start.
func (p *Progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown != "" {
		_, _ = io.WriteString(p.w, "\r\x1b[K")
	}
	p.total, p.shown = 0, ""
}

const barColumns = 30

// draw shows the bar where it moved since the last time: a fast run of 10,000
// scenarios writes some 30 times.
func (p *Progress) draw() {
	if !p.terminal || p.total <= 0 {
		return
	}
	full := p.done * barColumns / p.total
	bar := strings.Repeat("█", full) + strings.Repeat("░", barColumns-full)
	if bar == p.shown && p.done < p.total {
		return
	}
	p.shown = bar
	_, _ = fmt.Fprintf(p.w, "\r\x1b[K  %s  %d of %s", bar, p.done, plural(p.total, "scenario"))
}
