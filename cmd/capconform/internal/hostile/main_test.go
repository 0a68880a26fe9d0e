package hostile

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/capconform/capconform/suites/driver/drivertest"
)

// TestMain lets garbage accumulate: many short runs produce much of it and retain little. With the default of 100
// percent, the collector takes a quarter of the time.
func TestMain(m *testing.M) {
	drivertest.FindTools()
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
