package examine

import (
	"time"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/access"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/reports"
)

// RunFlags are the values of the flags of run.
type RunFlags struct {
	scope.SelectionFlags
	access.Flags
	name        string
	version     string
	tags        string
	invoke      []string
	reports     []string
	timeout     time.Duration
	concurrency int
	shard       string
	failFast    bool
	watch       bool
	seed        int64
	record      string
	via         []string
	changes     string
	editions    []string
	gateway     *gateway // through which this run reaches the subject; nil for a direct run
	apart       bool     // this run is one of several editions

	baseline baselineFlags

	allowIncomplete  bool
	verbose          bool
	color            string
	noColor          bool
	quiet            bool
	withheldReported bool // which variables are withheld
}

// aboutReportFlag explains --report of run and lint.
const aboutReportFlag = "write a report as `FORMAT[=PATH]`, or to a PATH whose name shows the format, " +
	"such as junit.xml; - or no path is stdout (repeatable; capconform list formats)"

// baselineFlags say which failures are known.
type baselineFlags struct {
	file  string
	write string
	fix   bool

	known *reports.Baseline // what file holds; nil if none was given
}

// gateway is another URL at which the subject can be reached, with a name for it.
type gateway struct{ name, url string }
