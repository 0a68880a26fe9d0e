package proof

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	chpmutant "github.com/capconform/capconform/reference/chphost/mutant"
	"github.com/capconform/capconform/reports/nearest"
	"github.com/capconform/capconform/suites"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/defect"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/live"
)

// TestHintsOnAHostOfAnotherBuild applies the defects that are data to the answers of the host in Python, and requires that
// the failures name the defect, or nothing. The even rows are there to look at when the bounds of package nearest
// change; only the odd ones decide (make hints). Without CAPCONFORM_PATTERNS=all, it tries some of them.
func TestHintsOnAHostOfAnotherBuild(t *testing.T) {
	skipShort(t)
	s := suiteOf(t, chpsuite.Definition())
	all, err := chpmutant.Defects(wordsOfPython)
	require.NoError(t, err)
	known, err := nearest.Patterns(s.Name)
	require.NoError(t, err)
	python, err := exec.LookPath("python3")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("python3 is not installed") // in CI it must exist
	}
	require.NoError(t, err)
	var lock sync.Mutex
	var running sync.WaitGroup
	places := make(chan struct{}, runtime.GOMAXPROCS(0))
	tallies := [2]hints{}
	each := 8 * quickEach
	if triedEach() == 1 {
		each = 1
	}
	for i, row := range all {
		if each > 1 && i%each > 1 {
			continue
		}
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			found := breachesOfRow(t, s, python, row)
			lock.Lock()
			defer lock.Unlock()
			tallies[i%2].add(t, "chp-"+row.Name, found, nearest.Among(known, found))
		})
	}
	running.Wait()
	t.Logf("even rows: %+v", tallies[0])
	if each == 1 {
		tallies[1].require(t)
	}
	require.Zero(t, tallies[0].wrong+tallies[1].wrong)
	require.Positive(t, tallies[0].right+tallies[1].right)
}

// hints counts what the failures of hosts with known defects name.
type hints struct{ right, silent, wrong, unseen int }

func (h *hints) add(t *testing.T, name string, found []nearest.Breach, named []nearest.Pattern) {
	switch {
	case len(found) == 0:
		h.unseen++ // the host has no capability that shows it
		t.Logf("%s: unseen", name)
	case len(named) == 0:
		h.silent++
		t.Logf("%s: nothing is named", name)
	case slices.ContainsFunc(named, func(p nearest.Pattern) bool { return p.Defect == name }):
		h.right++
	default:
		h.wrong++
		t.Logf("%s is taken for %s: %v", name, named[0].Defect, messagesOf(found))
	}
}

func (h *hints) require(t *testing.T) {
	t.Helper()
	t.Logf("%+v", *h)
	if n := h.right + h.silent + h.wrong; n == 0 || h.right*100 < 80*n || h.wrong*100 > n {
		t.Errorf("of %d: %d right (want 80 %%), %d wrong (want at most 1 %%)", n, h.right, h.wrong)
	}
}

// pythonHost starts the host in Python, and returns its URL and what ends it.
func pythonHost(ctx context.Context, python string) (url string, end func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	host := exec.CommandContext(ctx, python,
		filepath.Join("..", "..", "..", "..", "reference", "examples", "python-chp", "host.py"), "--listen", "127.0.0.1:0")
	end = func() {
		cancel()
		_ = host.Wait() // it was killed
	}
	out, err := host.StdoutPipe()
	if err == nil {
		err = host.Start()
	}
	if err != nil {
		cancel()
		return "", nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	return strings.TrimSpace(line), end, err
}

// wordsOfPython are the capabilities of the host in Python that play the parts of those of the reference.
var wordsOfPython = map[string]string{"victim": "example.clock", "other": "conformance.echo", "progress": "execution_observed"}

// breachesOfRow examines a new host whose calls and answers have a defect.
func breachesOfRow(t *testing.T, s *suites.Suite, python string, row *defect.Defect) []nearest.Breach {
	host, end, err := pythonHost(t.Context(), python)
	if err != nil {
		t.Errorf("%s: %v", row.Name, err)
		return nil
	}
	defer end()
	of := httpdriver.New(httpdriver.Config{URL: host, Bindings: httpdriver.Bindings{}.WithRoutes(s.Routes)})
	strict := row.Marks.Strict
	report, err := suites.Run(t.Context(), []*suites.Suite{s}, &suites.Subject{
		Name: row.Name, Invoke: live.InvokeAll, Seed: seed, Options: map[string]string{"strict": strconv.FormatBool(strict)},
		Driver: row.Driver(of),
	}, suites.Options{Explicit: true, Concurrency: 1, Strict: strict})
	if err != nil {
		t.Errorf("%s: %v", row.Name, err)
		return nil
	}
	return nearest.Found(&report.Suites[0])
}
