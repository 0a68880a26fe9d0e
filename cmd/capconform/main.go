// Command capconform reports whether a capability host conforms to the requirements of its
// protocol.
package main

import (
	"io"
	"log"
	"os"
	"runtime"

	"github.com/capconform/capconform/cmd/capconform/internal/aside"
	"github.com/capconform/capconform/cmd/capconform/internal/cli"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
)

func main() {
	log.SetOutput(io.Discard)  // net/http logs data that a target sends without a request; it may contain secrets
	runtime.MemProfileRate = 0 // no profile of the heap is read, and it takes time and memory
	aside.Restore()
	ballast := process.Ballast()
	exit := cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	runtime.KeepAlive(ballast)
	os.Exit(exit)
}
