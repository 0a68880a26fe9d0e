// Package mcp contains the suite for servers of the Model Context Protocol. The suite is data (DESIGN section 16); this
// package makes it a part of the program. Each revision of the protocol is an edition, in one folder; what the
// editions have in common is in the folder common.
package mcp

import (
	"embed"
	"io/fs"

	"github.com/capconform/capconform/suites/text"
)

//go:embed 2025-11-25 2026-07-28 common
var folders embed.FS

// Editions returns the revisions that the suite examines, the newest first.
func Editions() []string { return []string{"2026-07-28", "2025-11-25"} }

// Load returns the suite in an edition, which is one of Editions.
func Load(edition string) (*text.Text, error) {
	var roots []fs.FS
	for _, name := range []string{edition, "common"} {
		root, err := fs.Sub(folders, name)
		if err != nil {
			return nil, err
		}
		roots = append(roots, root)
	}
	return text.LoadOwn("mcp", roots...)
}
