//go:build unix

package child

import (
	"syscall"
	"time"
)

// group is the process group of a child, and on Linux all its other descendants.
type group struct {
	pid    int
	marker string
}

func newGroup(pid int, marker string) *group { return &group{pid: pid, marker: marker} }

func (g *group) terminate() { _ = syscall.Kill(-g.pid, syscall.SIGTERM) }

func (g *group) kill(deadline time.Time) { g.sweep(deadline) }
