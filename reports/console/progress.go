package console

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/capconform/capconform/reports/display"
)

// Progress shows how far a run is, on stderr: a bar on a terminal, nothing
// elsewhere. It is safe for concurrent use. What it writes is lost where w
// fails, since a run must not end for its bar.
type Progress struct {
	mu      sync.Mutex
	w       io.Writer
	columns int // of the terminal; 0: it is none
	total   int
	done    int
	awaited string
	shown   string
}

// NewProgress makes a bar that writes to w, a terminal of so many columns; 0 says that w is
// no terminal.
func NewProgress(w io.Writer, columns int) *Progress {
	return &Progress{w: w, columns: columns}
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

// Await states what the run is waiting for, "" if it is not waiting.
func (p *Progress) Await(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if what != p.awaited {
		p.awaited = what
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
	p.total, p.shown, p.awaited = 0, "", ""
}

const barColumns = 30

// draw shows the bar where it moved, or what is waited for changed, since the last time: a
// fast run of 10,000 scenarios writes some 30 times.
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
