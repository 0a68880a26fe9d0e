// Command mcphost serves the reference server of the suite mcp: over stdio, or over streamable HTTP at an address that
// it prints. With --edition REVISION, it speaks that revision alone.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/capconform/capconform/reference/mcphost"
)

func main() {
	if err := serve(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mcphost:", err)
		os.Exit(1)
	}
}

func serve(arguments []string) error {
	flags := flag.NewFlagSet("mcphost", flag.ContinueOnError)
	edition := flags.String("edition", "", "speak `REVISION` alone: "+mcphost.Modern+" or "+mcphost.Legacy)
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	var revisions []string
	if *edition != "" {
		revisions = []string{*edition}
	}
	if flags.NArg() == 0 {
		return mcphost.New(revisions...).Run(context.Background(), &mcp.StdioTransport{})
	}
	listener, err := net.Listen("tcp", flags.Arg(0))
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	server := &http.Server{Handler: mcphost.Handler(revisions), ReadHeaderTimeout: time.Minute}
	return server.Serve(listener)
}
