//go:build unix && !linux

package child

import (
	"syscall"
	"time"
)

// UncoveredDescendants describes what this system cannot guarantee about the end of a child.
const UncoveredDescendants = "a descendant that leaves the child's process group (setsid) " +
	"can't be found on this system and may survive"

func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func adoptOrphans() {}

// sweep ends the process group. This system offers no way to find other descendants.
func (g *group) sweep(time.Time) { _ = syscall.Kill(-g.pid, syscall.SIGKILL) }
