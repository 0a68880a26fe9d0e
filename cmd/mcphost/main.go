// Command mcphost serves the reference server of the suite mcp: over stdio, or over streamable HTTP at an address that
// it prints.
package main

import (
	"context"
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
	if len(arguments) == 0 {
		return mcphost.New().Run(context.Background(), &mcp.StdioTransport{})
	}
	listener, err := net.Listen("tcp", arguments[0])
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	server := &http.Server{Handler: mcphost.Handler(), ReadHeaderTimeout: time.Minute}
	return server.Serve(listener)
}
