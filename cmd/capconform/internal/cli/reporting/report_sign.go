package reporting

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/target"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/verification"
)

// envelopeExtension is appended to the path of a report for its signature.
const envelopeExtension = ".intoto.jsonl"

const aboutSign = `Sign a report: write a DSSE envelope with the in-toto test-result statement about it.

KEY is a file with an Ed25519 key in PEM, or ${NAME} for a variable that holds one:

    openssl genpkey -algorithm ed25519 -out key.pem
    openssl pkey -in key.pem -pubout -out pub.pem

The signature is written next to the report, to REPORT` + envelopeExtension + `. The
report must not be changed afterwards, not even its white space.

Sign refuses a partial run, a part of a run, and a report that contradicts itself or
its catalogue.

A signature proves who signed. It does not prove who ran the suite, or that the host
was honest.`

func signCommand(a *process.App) *cobra.Command {
	var key, output string
	c := &cobra.Command{
		Use:     "sign --key KEY [--output PATH] REPORT",
		Short:   "Sign a report",
		Long:    aboutSign,
		Example: "  capconform report sign --key key.pem report.json",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 || key == "" {
				return process.Misuse("report sign: want --key KEY and one report (JSON)")
			}
			if output == "" {
				if args[0] == "-" {
					return process.Misuse("report sign: a report from stdin requires --output PATH")
				}
				output = args[0] + envelopeExtension
			}
			return sign(a, c, args[0], key, output)
		},
	}
	c.Flags().StringVar(&key, "key", "", "the private `KEY`: a file in PEM, or ${NAME}")
	c.Flags().StringVarP(&output, "output", "o", "",
		"write the signature to `PATH` (default: next to the report); - is stdout")
	return c
}

func sign(a *process.App, c *cobra.Command, path, keyPath, output string) error {
	text, err := readKey(keyPath)
	if err != nil {
		return err
	}
	key, err := verification.ParsePrivateKey(text)
	if err != nil {
		return process.Misuse("--key: %s", strings.TrimPrefix(err.Error(), "reports: "))
	}
	document, err := process.ReadDocument(a, path)
	if err != nil {
		return err
	}
	if err := checkConsistent(c.Context(), document); err != nil {
		return process.Misuse("%s is not signed: %v", path, err)
	}
	envelope, err := verification.Sign(c.Context(), document, key)
	if errors.Is(err, reports.ErrPartial) {
		return process.Misuse("%s is not signed: %v", path, reports.ErrPartial)
	}
	if err != nil {
		return err
	}
	if output == "-" {
		_, err = a.Out.Write(envelope)
		return err
	}
	to := &process.PlacedFile{Path: output, Reads: []string{path, keyPath}}
	if err := to.Open(); err != nil {
		return process.Misuse("--output: %v", err)
	}
	a.BeforeEnd(to.Discard)
	_, err = to.File.Write(envelope)
	if err := to.Place(err); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Out, "signed: %s\n", process.OneLine(output))
	return err
}

// checkConsistent states in one line why no run can have written a document. It returns nil if
// nothing shows that.
func checkConsistent(ctx context.Context, document []byte) error {
	proof := verification.Proof{Document: document}
	proof.Build.Version, proof.Build.Commit = process.Build()
	faults := verification.Verify(ctx, proof).Faults
	switch n := len(faults); n {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("no run can have written it: %s", faults[0])
	default:
		return fmt.Errorf("no run can have written it: %s (capconform report verify shows %d more)", faults[0], n-1)
	}
}

// readKey reads a key from a file, or from the variable that ${NAME} names. A key is never the
// value of a flag.
func readKey(given string) ([]byte, error) {
	if strings.HasPrefix(given, "${") {
		text, err := target.Expand(given, os.LookupEnv)
		if err != nil {
			return nil, process.Misuse("--key: %v", err)
		}
		return []byte(text), nil
	}
	if strings.Contains(given, "PRIVATE KEY") {
		return nil, process.Misuse("--key: want a file or ${NAME}, not the key itself")
	}
	text, err := process.ReadFile(given, process.SmallFile)
	if err != nil {
		return nil, process.Misuse("--key: %v", err)
	}
	return text, nil
}
