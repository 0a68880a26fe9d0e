//go:build unix

package child

import (
	"syscall"
	"time"
)

// group is a child's process group, and on Linux whatever else descends from it.
type group struct {
	pid    int
	marker string
}

func newGroup(pid int, marker string) *group { return &group{pid: pid, marker: marker} }

func (g *group) terminate() { _ = syscall.Kill(-g.pid, syscall.SIGTERM) }

func (g *group) kill(deadline time.Time) { g.sweep(deadline) }
