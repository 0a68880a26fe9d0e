package child

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// UncoveredDescendants describes what this system cannot guarantee about the end of a child.
const UncoveredDescendants = "a descendant that runs as another user can't be ended"

// attributes puts the child into its own process group. If this process is killed before it can
// clean up, the kernel kills the child itself.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// adoptOrphans makes this process the parent of descendants that lose theirs. Descendants that left
// the group with setsid are then found among the children of this process.
func adoptOrphans() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// process is the state of one process according to /proc.
type process struct {
	pid, parent, group, session int
	zombie                      bool
}

// sweep kills every descendant until none is left or the deadline has passed. It starts while the
// process tree is complete, and searches again after each round, because a process may have forked
// before it was killed. It ends after two rounds that find nothing: a process that is being
// executed briefly shows no mark.
func (g *group) sweep(deadline time.Time) {
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	seen := sweepState{killed: map[int]bool{}, unmarked: map[int]bool{}}
	const enough = 2
	for empty := 0; empty < enough && time.Now().Before(deadline); {
		empty++
		if g.round(seen) {
			empty = 0
		}
		_ = syscall.Kill(-g.pid, syscall.SIGKILL)
		<-ticker.C
	}
}

// sweepState is what the rounds of one sweep know about processes, by id.
type sweepState struct {
	killed   map[int]bool
	unmarked map[int]bool // adopted and without a mark: may belong to another child and be about to be executed
}

// round kills all descendants once, reaps those that an earlier round killed, and reports whether
// any was found.
func (g *group) round(seen sweepState) bool {
	self, session := os.Getpid(), ownSession()
	found := false
	all := processes()
	below := descendants(all, g.pid)
	for _, p := range all {
		// A child that this process started leads its group, so it cannot leave the session. A
		// child outside the session was therefore adopted. Without a mark, its origin is unknown.
		// Such a stray is killed by the first sweep that sees it in two rounds: a process that is
		// being executed briefly shows no mark.
		adopted := p.parent == self && p.session != session
		switch {
		case p.pid == self:
		case p.zombie:
			if p.parent == self && p.pid != g.pid && (adopted || p.group == g.pid || seen.killed[p.pid]) {
				_, _ = syscall.Wait4(p.pid, nil, syscall.WNOHANG, nil)
			}
		case p.group == g.pid, below[p.pid], g.marked(p.pid), adopted && seen.unmarked[p.pid] && !g.belongsToOther(p.pid):
			found, seen.killed[p.pid] = true, true
			_ = syscall.Kill(p.pid, syscall.SIGKILL)
		case adopted && !g.belongsToOther(p.pid):
			found, seen.unmarked[p.pid] = true, true
		}
	}
	return found
}

// marked reports whether a process inherited the mark of this child.
func (g *group) marked(pid int) bool {
	return bytes.Contains(environ(pid), []byte(markerName+"="+g.marker))
}

// belongsToOther reports whether a process has the mark of another child.
func (g *group) belongsToOther(pid int) bool {
	env := environ(pid)
	return bytes.Contains(env, []byte(markerName+"=")) && !bytes.Contains(env, []byte(g.marker))
}

func environ(pid int) []byte {
	env, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return env
}

func ownSession() int {
	session, err := unix.Getsid(0)
	if err != nil {
		return 0
	}
	return session
}

// descendants returns a process and the processes below it.
func descendants(all []process, root int) map[int]bool {
	below := map[int]bool{root: true}
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if below[p.parent] && !below[p.pid] {
				below[p.pid], grown = true, true
			}
		}
	}
	return below
}

func processes() []process {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var all []process
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if p, ok := readProcess(pid); ok {
			all = append(all, p)
		}
	}
	return all
}

// readProcess reads the fields after the command name, which is in parentheses and may contain any
// characters.
func readProcess(pid int) (process, bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 4 {
		return process{}, false
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(string(fields[i]))
		return n
	}
	state := fields[0][0]
	return process{pid: pid, parent: number(1), group: number(2), session: number(3),
		zombie: state == 'Z' || state == 'X'}, true
}
