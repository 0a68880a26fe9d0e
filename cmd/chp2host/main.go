// Command chp2host serves the reference host of the edition 0.2 of CHP at an address, which it prints. With --tier, its
// evidence has another tier than signed; with --prefer, its descriptor names another wire version than 0.2.
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/capconform/capconform/reference/chp2host"
)

func main() {
	if err := serve(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "chp2host:", err)
		os.Exit(1)
	}
}

func serve(arguments []string) error {
	var s chp2host.Settings
	flags := flag.NewFlagSet("chp2host", flag.ContinueOnError)
	flags.StringVar(&s.Tier, "tier", chp2host.Signed, "the `TIER`: none, hash-chain or signed")
	flags.StringVar(&s.Prefers, "prefer", "0.2", "the wire `VERSION` of the descriptor: 0.1 or 0.2")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	address := "127.0.0.1:0"
	if flags.NArg() > 0 {
		address = flags.Arg(0)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	server := &http.Server{Handler: chp2host.New(s), ReadHeaderTimeout: time.Minute}
	return server.Serve(listener)
}
