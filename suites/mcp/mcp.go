// Package mcp contains the suite for servers of the Model Context Protocol. The suite is data (DESIGN section 16); this
// package makes it a part of the program.
package mcp

import (
	"embed"
	"io/fs"

	"github.com/capconform/capconform/suites/text"
)

//go:embed 2025-11-25
var folders embed.FS

// Edition is the revision of the protocol that the suite examines.
const Edition = "2025-11-25"

// Load returns the suite.
func Load() (*text.Text, error) {
	root, err := fs.Sub(folders, Edition)
	if err != nil {
		return nil, err
	}
	return text.LoadFrom(root, "mcp", nil)
}
