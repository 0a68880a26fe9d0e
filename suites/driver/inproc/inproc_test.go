package inproc_test

import (
	"context"
	"testing"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/inproc"
)

func BenchmarkCall(b *testing.B) {
	result := []byte(`{"jsonrpc":"2.0","id":1,"result":{"status":"ok","output":{"message":"hi"}}}`)
	d := inproc.New("bench", func(_ context.Context, _ []byte) []byte { return result })
	op := driver.Operation{Name: "capability.invoke", Params: []byte(`{"ref":{"capability_id":"a","version":"1.0.0"},"input":{}}`)}
	for b.Loop() {
		s, err := d.Open(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		if a, err := s.Call(context.Background(), op); err != nil || a.Outcome != driver.Returned {
			b.Fatal(a, err)
		}
		_ = s.Close()
	}
}
