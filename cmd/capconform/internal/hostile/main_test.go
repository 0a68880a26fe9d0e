package hostile

import (
	"os"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/capconform/capconform/suites/driver/drivertest"
)

// memoryLimit is the memory, in bytes, from which the collector works more often.
const memoryLimit = 800 << 20

// TestMain lets garbage accumulate: many short runs produce much of it and retain little. With the default of 100
// percent, the collector takes a quarter of the time. Each command would bound the memory to what one run holds, less than
// this process does, unless the user has set a limit.
func TestMain(m *testing.M) {
	drivertest.FindTools()
	debug.SetGCPercent(400)
	if err := os.Setenv("GOMEMLIMIT", strconv.Itoa(memoryLimit)); err != nil {
		panic(err)
	}
	debug.SetMemoryLimit(memoryLimit)
	os.Exit(m.Run())
}
