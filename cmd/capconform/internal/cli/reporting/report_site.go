package reporting

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/site"
	"github.com/capconform/capconform/reports/verification"
)

const aboutMatrix = `Put the reports of several hosts side by side, as one table or, with --site, as a
static site: hosts and protocols, a page for each host with its history, a page for
each requirement, and every report.

A site contains only reports that report verify accepts: if a report contradicts itself,
is partial, or is not what was signed, nothing is written. The folder must be new, empty,
or a site that this command wrote.`

// writeSite verifies the reports and writes a site of them.
func writeSite(a *process.App, c *cobra.Command, folder string, paths, texts []string) error {
	for _, other := range []string{"format", "output"} {
		if c.Flags().Changed(other) {
			return process.Misuse("report matrix: --site and --%s exclude each other", other)
		}
	}
	switch {
	case folder == "":
		return process.Misuse("report matrix: --site: the folder has no name")
	case len(paths) == 0:
		return process.Misuse("report matrix: want reports (JSON)")
	}
	var proofs []verification.Proof
	var about []*reports.Report
	for _, path := range paths {
		proof, err := readProof(a, path, "", nil)
		if err != nil {
			return err
		}
		proofs, about = append(proofs, proof), append(about, reportIn(proof.Document))
	}
	own, err := ownTexts(c.CommandPath(), texts, about...)
	if err != nil {
		return err
	}
	var entries []site.Entry
	for i, path := range paths {
		proofs[i].Texts = own
		e := site.Entry{Path: path, Verification: verification.Verify(c.Context(), proofs[i]),
			Document: proofs[i].Document, Texts: own}
		if err := e.Check(); err != nil {
			return process.Misuse("report matrix: %s", process.OneLine(err.Error()))
		}
		entries = append(entries, e)
	}
	if err := site.Build(folder, entries); err != nil {
		return process.Misuse("report matrix: %s", process.OneLine(strings.TrimPrefix(err.Error(), "reports: ")))
	}
	fmt.Fprintf(a.Out, "wrote a site of %s to %s\n", process.Count(len(entries), "report"), process.OneLine(folder))
	return nil
}
