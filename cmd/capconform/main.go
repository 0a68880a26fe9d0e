// Command capconform reports whether a capability host does what its protocol demands.
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
	log.SetOutput(io.Discard)  // net/http logs what a target sends without a request; that may hold secrets
	runtime.MemProfileRate = 0 // nobody reads a profile of the heap, which takes time and memory
	aside.Restore()
	ballast := process.Ballast()
	exit := cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	runtime.KeepAlive(ballast)
	os.Exit(exit)
}
