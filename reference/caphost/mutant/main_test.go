package capmutant_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets garbage pile up: many short runs leave much of it and hold little. With
// the default of 100 percent, the collector takes a quarter of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
