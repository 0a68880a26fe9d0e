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
