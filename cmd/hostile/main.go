// Command hostile runs capconform against every hostile host and document, and measures the time
// and the memory of each run. It exits with 1 if a run exceeds the bounds of DESIGN section 13 or
// acts against DESIGN section 12.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"regexp"
	"time"

	"github.com/capconform/capconform/reference/hostile"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
}

// command runs a subcommand, or all trials if there is none.
func command(ctx context.Context, args []string) error {
	if len(args) > 0 && args[0] == "remain" {
		hostile.IgnoreSignals(ctx)
		return nil
	}
	if len(args) > 0 && args[0] == "count" {
		return count(ctx, os.Stdin, os.Stdout)
	}
	if len(args) > 3 && args[0] == "serve" {
		return serve(ctx, args[1], hostile.Wire(args[2]), args[3])
	}
	flags := flag.NewFlagSet("hostile", flag.ContinueOnError)
	program := flags.String("program", "bin/capconform", "the `FILE` of capconform")
	file := flags.String("write", "", "write the table to `FILE`")
	only := flags.String("run", "", "run only the trials whose name, such as http/redirect, matches the `PATTERN`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	return runAndReport(ctx, plan{program: *program, file: *file, pattern: pattern})
}

// serve serves a mode until the client disconnects or ctx ends. The trap is an address that no
// client may contact.
func serve(ctx context.Context, name string, wire hostile.Wire, trap string) error {
	mode, ok := hostile.Find(name, trap)
	if !ok {
		return fmt.Errorf("no mode is named %q", name)
	}
	if wire == hostile.Stdio || wire == hostile.MCP {
		return mode.Lines(ctx, os.Stdin, hostile.Peer{Out: os.Stdout, Err: os.Stderr}, wire == hostile.MCP)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	server := &http.Server{Handler: mode.Handler(), ReadHeaderTimeout: time.Minute}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // it ends with the process that started this one
		_ = server.Close()
	}()
	_ = server.Serve(listener)
	return nil
}
