package driver_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/drivertest"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

const asChild = "DRIVER_BENCH_CHILD"

// TestMain also serves as the target: it answers each line.
func TestMain(m *testing.M) {
	if os.Getenv(asChild) == "" {
		drivertest.FindTools()
		os.Exit(m.Run())
	}
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		_, _ = os.Stdout.Write(append(reply(line), '\n'))
	}
}

// reply answers a request with any id.
func reply(request []byte) []byte {
	m, _ := jsonrpc.Read(request)
	return jsonrpc.Response(m.ID, []byte(`{"ok":true,"output":{"message":"hi"},"duration_ms":1}`))
}

var benchmarked = driver.Operation{
	Name: "capability.invoke", Params: []byte(`{"ref":{"capability_id":"conformance.echo","version":"1.0.0"},"input":{"message":"hi"}}`),
}

// compare measures calls over a driver, and reports their time as a multiple of that of a bare client.
func compare(b *testing.B, d driver.Driver, bare func() error) {
	b.Helper()
	session, err := d.Open(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	defer session.Close()
	for b.Loop() {
		answer, err := session.Call(context.Background(), benchmarked)
		if err != nil || answer.Outcome != driver.Returned {
			b.Fatal(answer.Defect, err)
		}
	}
	took := b.Elapsed()
	b.StopTimer()
	began := time.Now()
	for range b.N {
		if err := bare(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(took)/float64(time.Since(began)), "times-bare")
}

func BenchmarkInProcess(b *testing.B) {
	request, err := jsonrpc.Request(1, benchmarked.Name, benchmarked.Params)
	if err != nil {
		b.Fatal(err)
	}
	handler := func(_ context.Context, request []byte) []byte { return reply(request) }
	compare(b, inproc.New("bench", handler), func() error {
		handler(context.Background(), request)
		return nil
	})
}

func BenchmarkStdio(b *testing.B) {
	request, err := jsonrpc.Request(1, benchmarked.Name, benchmarked.Params)
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asChild+"=1")
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() { _ = in.Close(); _ = cmd.Wait() }()
	answers := bufio.NewReader(out)
	compare(b, stdiodriver.New(stdiodriver.Config{Command: []string{os.Args[0]}, Env: []string{asChild + "=1"}}), func() error {
		if _, err := in.Write(append(request, '\n')); err != nil {
			return err
		}
		_, err := answers.ReadBytes('\n')
		return err
	})
}

func BenchmarkHTTP(b *testing.B) {
	request, err := jsonrpc.Request(1, benchmarked.Name, benchmarked.Params)
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write(reply(body))
	}))
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}
	defer client.CloseIdleConnections()
	compare(b, httpdriver.New(httpdriver.Config{URL: server.URL}), func() error {
		response, err := client.Post(server.URL+"/rpc", "application/json", bytes.NewReader(request))
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		return err
	})
}
