package suites

import (
	"sync"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/recording"
)

// shared is what the scenarios of one run have in common.
type shared struct {
	suiteName   string
	session     driver.Session
	origin      *origin
	examination Examination
	others      []otherSuite // the other suites of this run
	health      *health
	journal     *recording.Journal
	recorded    *recordedRun // nil if a target is examined

	performMutex sync.Mutex
	performances map[string]*Memo[*Unperformed]
}

// otherSuite is an examination with the session that it uses.
type otherSuite struct {
	Examination
	session driver.Session
}

// performance returns the memo of a stimulus, which it creates at first use.
func (s *shared) performance(name string) *Memo[*Unperformed] {
	s.performMutex.Lock()
	defer s.performMutex.Unlock()
	if s.performances == nil {
		s.performances = map[string]*Memo[*Unperformed]{}
	}
	if s.performances[name] == nil {
		s.performances[name] = &Memo[*Unperformed]{}
	}
	return s.performances[name]
}

// exchangeOf returns the exchange of an entry, or what the record kept of it, and whether it is
// known.
func (s *shared) exchangeOf(begun record.Tick) (driver.Exchange, bool) {
	if s.recorded != nil {
		exchange, ok := s.recorded.exchanges[begun]
		return exchange, ok
	}
	return s.journal.ExchangeOf(s.suiteName, begun)
}

// Memo keeps the outcome of an experiment. The first scenario that needs the outcome performs the
// experiment, once in a run, and every scenario judges it under its requirement. The zero value is
// empty. A Memo is safe for concurrent use.
type Memo[T any] struct {
	mu   sync.Mutex
	done bool
	kept T
}

// Get returns the kept outcome, or performs the experiment if there is none. If the experiment
// returns false, the run ended before it completed, and the next caller performs it again.
func (m *Memo[T]) Get(experiment func() (T, bool)) T {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.done {
		m.kept, m.done = experiment()
	}
	return m.kept
}

// Kept returns the kept outcome without performing the experiment. It returns the zero value if
// there is none.
func (m *Memo[T]) Kept() T {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept
}
