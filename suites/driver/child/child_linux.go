package child

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Promise says what this system can't promise about the end of a child.
const Promise = "a descendant that runs as another user can't be ended"

// attributes puts the child into its own group. If we are killed without a
// chance to clean up, the kernel kills the child itself.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// adoptOrphans makes us the parent of descendants that lose theirs: those that
// left the group with setsid are then found among our children.
func adoptOrphans() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// process is what /proc tells of one process.
type process struct {
	pid, parent, group, session int
	zombie                      bool
}

// sweep kills every descendant until none is left or the deadline has passed. It
// starts while the tree still hangs together, and looks again after each round,
// since what is killed may have forked meanwhile. It takes two rounds that find nobody: who
// is just being executed bears no mark for a moment.
func (g *group) sweep(deadline time.Time) {
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	seen := sightings{killed: map[int]bool{}, strays: map[int]bool{}}
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

// sightings is what the rounds of one sweep know of processes, by id.
type sightings struct {
	killed map[int]bool
	strays map[int]bool // adopted, and without a mark: it may be another child's, just being executed
}

// round kills once, reaps what an earlier round killed, and tells whether anybody
// was there.
func (g *group) round(seen sightings) bool {
	self, session := os.Getpid(), ownSession()
	found := false
	all := processes()
	below := descendants(all, g.pid)
	for _, p := range all {
		// A child that we started leads its group, so it can't leave our session: who
		// has done so was adopted. Without a mark it can't be told whose it was; such a
		// stray is ended by whoever meets it first, in two rounds: a process that is just
		// being executed shows no mark for a moment.
		adopted := p.parent == self && p.session != session
		switch {
		case p.pid == self:
		case p.zombie:
			if p.parent == self && p.pid != g.pid && (adopted || p.group == g.pid || seen.killed[p.pid]) {
				_, _ = syscall.Wait4(p.pid, nil, syscall.WNOHANG, nil)
			}
		case p.group == g.pid, below[p.pid], g.marked(p.pid), adopted && seen.strays[p.pid] && !g.another(p.pid):
			found, seen.killed[p.pid] = true, true
			_ = syscall.Kill(p.pid, syscall.SIGKILL)
		case adopted && !g.another(p.pid):
			found, seen.strays[p.pid] = true, true
		}
	}
	return found
}

// marked tells whether a process inherited the mark of this child.
func (g *group) marked(pid int) bool {
	return bytes.Contains(environ(pid), []byte(markerName+"="+g.marker))
}

// another tells whether a process bears the mark of another child.
func (g *group) another(pid int) bool {
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

// descendants gives the processes below one, itself included.
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

// readProcess reads the fields behind the command's name, which stands in
// parentheses and may hold anything.
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
