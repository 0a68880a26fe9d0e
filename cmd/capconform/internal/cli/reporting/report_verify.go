package reporting

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/examine"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/verification"
)

const aboutVerify = `Check a report that somebody else made: its schema, its digests, that it contains the
requirements of its version and no others, that counts and verdicts follow from the
results, and its signature, which is read from REPORT` + envelopeExtension + `.

With --record, the verdict is not only checked but recomputed: the record of the run, whose
digest the report names, is judged again.

A signature proves who signed. It does not prove who ran the suite, or that the host
was honest. The owner of the key can sign a report that no run wrote.

Exit status, and the first word on stdout:
  0  authentic: signed by one of the keys, whole, and conformant
  1  authentic, and nonconformant; or not verified, with each reason
  2  wrong usage
  6  consistent, not authenticated (no key was given); or authentic, and incomplete,
     partial, with a baseline, or of a version that this build does not know`

func verifyCommand(a *process.App) *cobra.Command {
	var keys, texts []string
	var signature, from string
	c := &cobra.Command{
		Use:     "verify [--key PUB]... [--signature PATH] [--record RECORD] REPORT",
		Short:   "Check a report and its signature",
		Long:    aboutVerify,
		Example: "  capconform report verify --key pub.pem report.json",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return process.Misuse("report verify: want one report (JSON; - is stdin)")
			}
			proof, err := readProof(a, args[0], signature, keys)
			if err != nil {
				return err
			}
			if proof.Texts, err = ownTexts(c.CommandPath(), texts, reportIn(proof.Document)); err != nil {
				return err
			}
			v := verification.Verify(c.Context(), proof)
			if from != "" && v.Report != nil {
				faults, err := examine.RecordDifferences(c, v.Report, from, texts)
				if err != nil {
					return err
				}
				v.Faults = append(v.Faults, faults...)
			}
			return printVerification(a, v)
		},
	}
	c.Flags().StringArrayVar(&keys, "key", nil,
		"a public `KEY` that may have signed: a file in PEM, or ${NAME} (repeatable)")
	c.Flags().StringVar(&signature, "signature", "", "read the signature from `PATH` (default: next to the report)")
	c.Flags().StringSliceVar(&texts, "suite", nil,
		"the folder `DIR` of a text of one's own that the report is about (repeatable)")
	c.Flags().StringVar(&from, "record", "",
		"judge the `RECORD` of the run again and compare its statuses with those of the report")
	return c
}

// ownTexts reads the folders of texts of one's own, and the texts of this program that the reports may be about: to
// read all editions takes longer than to verify most reports.
func ownTexts(command string, dirs []string, about ...*reports.Report) ([]verification.Text, error) {
	names := slices.Clone(dirs)
	for _, name := range scope.AllTexts() {
		suite, _, _ := strings.Cut(name, "@")
		if slices.ContainsFunc(about, func(r *reports.Report) bool {
			return slices.Contains(r.NotSpoken, suite) ||
				slices.ContainsFunc(r.Suites, func(s reports.Suite) bool { return s.Suite == suite })
		}) {
			names = append(names, name)
		}
	}
	if len(names) == 0 { // which would stand for all suites
		return nil, nil
	}
	all, err := scope.Named(names)
	if err != nil {
		return nil, err
	}
	var texts []verification.Text
	for _, d := range all {
		if d.Source == nil {
			return nil, process.Misuse("%s: --suite names the folder of a text of one's own, not %s",
				strings.TrimPrefix(command, "capconform "), d.Name)
		}
		texts = append(texts, verification.Text{Catalogue: d.Source.Catalogue, Features: d.Source.Features,
			Digest: d.Source.Digest})
	}
	return texts, nil
}

// reportIn reads a report without verifying anything. What cannot be read is about no suite.
func reportIn(document []byte) *reports.Report {
	var r reports.Report
	_ = json.Unmarshal(document, &r) // Verify says what is wrong
	return &r
}

// readProof reads the files that are to be checked.
func readProof(a *process.App, path, signature string, keys []string) (verification.Proof, error) {
	var p verification.Proof
	var err error
	p.Build.Version, p.Build.Commit = process.Build()
	for _, given := range keys {
		text, err := readKey(given)
		if err != nil {
			return p, err
		}
		key, err := verification.ParsePublicKey(text)
		if err != nil {
			return p, process.Misuse("--key: %s", strings.TrimPrefix(err.Error(), "reports: "))
		}
		p.Keys = append(p.Keys, ed25519.PublicKey(key))
	}
	if p.Document, err = process.ReadDocument(a, path); err != nil {
		return p, err
	}
	file := signature
	if file == "" {
		file = path + envelopeExtension
	}
	p.Envelope, err = process.ReadFile(file, process.SmallFile)
	if signature == "" && errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err != nil {
		return p, process.Misuse("--signature: %v", err)
	}
	return p, nil
}

// printVerification prints the result, and returns its exit status as an error.
func printVerification(a *process.App, v verification.Verification) error {
	_, _ = fmt.Fprintln(a.Out, v.Word())
	printReasons(a, v.Faults)
	for _, limit := range v.Limits {
		_, _ = fmt.Fprintf(a.Out, "  limit: %s\n", process.OneLine(limit))
	}
	if v.SignedBy != "" {
		_, _ = fmt.Fprintf(a.Out, "  signed by the key %s\n", v.SignedBy)
	}
	if r := v.Report; r != nil && len(v.Faults) == 0 {
		_, _ = fmt.Fprintf(a.Out, "  %s: %s\n", r.Verdict,
			process.OneLine(strings.TrimSpace(r.Subject.Name+" "+r.Subject.Version)))
		for _, p := range r.Run.Parts {
			const line = "  part %d: run %s of %s, sha256 %s\n"
			_, _ = fmt.Fprintf(a.Out, line, p.Index, process.OneLine(p.RunID), process.OneLine(p.Target), p.SHA256)
		}
		for _, verdict := range r.Verdicts() {
			_, _ = fmt.Fprintf(a.Out, "    %s\n", process.OneLine(verdict))
		}
	}
	return process.ExitError(v.Exit())
}

// printReasons prints why a report is not verified.
func printReasons(a *process.App, faults []string) {
	for _, fault := range faults {
		_, _ = fmt.Fprintf(a.Out, "  reason: %s\n", process.OneLine(fault))
	}
}
