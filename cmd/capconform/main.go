// Command capconform tells whether a capability host does what its protocol demands.
package main

import (
	"os"

	"github.com/capconform/capconform/cmd/capconform/internal/cli"
)

func main() {
	drop := cli.Ballast()
	exit := cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	drop()
	os.Exit(exit)
}
