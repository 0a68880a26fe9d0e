package inproc_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/drivertest"
	"github.com/capconform/capconform/suites/driver/inproc"
)

func TestContract(t *testing.T) {
	drivertest.Run(t, drivertest.Subject{Whole: true, Open: func(_ *testing.T, o drivertest.Options) driver.Driver {
		var host drivertest.Host
		handler := func(ctx context.Context, request []byte) []byte {
			var reply bytes.Buffer
			if err := host.Serve(ctx, request, &reply); err != nil {
				return nil
			}
			return reply.Bytes()
		}
		return inproc.NewWith("scripted", handler, o.Limits, o.Deadlines)
	}})
}
