package cli

import (
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
)

// manualCommand writes the man pages and completions that packages of capconform install. It is for
// packagers, so help does not list it.
func manualCommand(a *process.App) *cobra.Command {
	var output, format string
	c := &cobra.Command{
		Use: "manual --output DIR", Short: "Write man pages, or completions for shells", Hidden: true,
		Args: process.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			write, known := map[string]func(*cobra.Command, string) error{"man": manPages, "completion": completions}[format]
			if output == "" || !known {
				return process.Misuse("manual: want --output DIR and --format man or completion")
			}
			if err := os.MkdirAll(output, 0o777); err != nil {
				return process.Misuse("manual: %v", err)
			}
			return write(c.Root(), output)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "", "the folder to write into (`DIR`)")
	c.Flags().StringVar(&format, "format", "man", "`FORMAT`: man, or completion")
	return c
}

// manPages writes a page of section 1 for each command.
func manPages(root *cobra.Command, dir string) error {
	root.DisableAutoGenTag = true
	released := time.Unix(0, 0).UTC() // pages of the same commands are the same bytes
	return doc.GenManTree(root, &doc.GenManHeader{Title: "CAPCONFORM", Section: "1", Source: "capconform",
		Manual: "capconform", Date: &released}, dir)
}

// completions writes a file for each shell.
func completions(root *cobra.Command, dir string) error {
	for _, shell := range []struct {
		name  string
		write func(path string) error
	}{
		{"capconform.bash", func(path string) error { return root.GenBashCompletionFileV2(path, true) }},
		{"_capconform", root.GenZshCompletionFile},
		{"capconform.fish", func(path string) error { return root.GenFishCompletionFile(path, true) }},
		{"capconform.ps1", root.GenPowerShellCompletionFileWithDesc},
	} {
		if err := shell.write(filepath.Join(dir, shell.name)); err != nil {
			return err
		}
	}
	return nil
}
