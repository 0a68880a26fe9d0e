// Package tree holds the tests about the tree itself: imports, sizes, words and documentation.
package tree

import (
	"os"
	"testing"
)

// The tests read the tree from its root.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	m.Run()
}
