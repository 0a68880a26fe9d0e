package console

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/capconform/capconform/reports/display"
)

// Progress shows the progress of a run on stderr: a bar on a terminal, nothing elsewhere. It is
// safe for concurrent use. It ignores errors of w, because a run must not end because of its bar.
type Progress struct {
	mu      sync.Mutex
	w       io.Writer
	columns int // of the terminal; 0 if there is no terminal
	total   int
	done    int
	awaited string
	shown   string
}

// NewProgress returns a bar that writes to w, a terminal with this number of columns; 0 means that
// w is not a terminal.
func NewProgress(w io.Writer, columns int) *Progress {
	return &Progress{w: w, columns: columns}
}

// Start shows an empty bar for this number of scenarios.
func (p *Progress) Start(total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total, p.done, p.shown = total, 0, ""
	p.draw()
}

// Scenario reports that this number of scenarios is done. Numbers lower than an earlier one are
// ignored, so calls may come in any order.
func (p *Progress) Scenario(done int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if done > p.done {
		p.done = min(done, p.total)
		p.draw()
	}
}

// Await reports what the run is waiting for, "" if it is not waiting.
func (p *Progress) Await(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if what != p.awaited {
		p.awaited = what
		p.draw()
	}
}

// End removes the bar. Nothing is drawn afterwards until the next Start.
func (p *Progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown != "" {
		_, _ = io.WriteString(p.w, "\r\x1b[K")
	}
	p.total, p.shown, p.awaited = 0, "", ""
}

const barColumns = 30

// draw redraws the bar if it has changed since the last time: a fast run of 10,000 scenarios draws
// about 30 times.
func (p *Progress) draw() {
	if p.columns == 0 || p.total <= 0 && p.awaited == "" {
		return
	}
	var words []string
	moved := ""
	if p.total > 0 {
		room := barColumns
		if p.awaited != "" {
			room = barColumns / 3
		}
		full := p.done * room / p.total
		moved = strings.Repeat("█", full) + strings.Repeat("░", room-full)
		words = append(words, moved, fmt.Sprintf("%d of %s", p.done, display.Plural(p.total, "scenario")))
	}
	if p.awaited != "" {
		words = append(words, "waiting for "+display.TerminalText(p.awaited))
	}
	moved += p.awaited
	if moved == p.shown && p.done < p.total {
		return
	}
	p.shown = moved
	_, _ = fmt.Fprintf(p.w, "\r\x1b[K  %s", display.Truncate(strings.Join(words, "  "), max(p.columns-3, barColumns)))
}
