package stdiodriver_test

import (
	"context"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/drivertest"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

const (
	asChild = "STDIODRIVER_TEST_CHILD"
)

// TestMain also serves as the target: the test starts its own binary.
func TestMain(m *testing.M) {
	if os.Getenv(asChild) != "" {
		var host drivertest.Host
		drivertest.ServeLines(context.Background(), os.Stdin, os.Stdout, host.Serve)
		return
	}
	drivertest.FindTools()
	goleak.VerifyTestMain(m)
}

func config(o drivertest.Options) stdiodriver.Config {
	return stdiodriver.Config{
		Command: []string{os.Args[0]}, Env: []string{asChild + "=1", "GORACE=atexit_sleep_ms=0", "KEY=" + "the-secret-key"},
		SecretSources: map[string]string{"KEY": "$KEY"}, Limits: o.Limits, Deadlines: o.Deadlines,
	}
}

func TestContract(t *testing.T) {
	drivertest.Run(t, drivertest.Subject{Secret: "the-secret-key", Open: func(_ *testing.T, o drivertest.Options) driver.Driver {
		return stdiodriver.New(config(o))
	}})
}
