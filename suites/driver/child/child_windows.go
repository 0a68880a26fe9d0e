//go:build windows

package child

import (
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// UncoveredDescendants describes what this system cannot guarantee about the end of a child.
const UncoveredDescendants = "what a child starts in its first moment, before it is put " +
	"into its job object, may survive on this system"

func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

func adoptOrphans() {}

// group is a job object. It contains all descendants of its processes, and ends them when this
// process ends.
type group struct{ job windows.Handle }

func newGroup(pid int, _ string) *group {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return &group{}
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = assign(job, pid)
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return &group{}
	}
	return &group{job: job}
}

func assign(job windows.Handle, pid int) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process)
	return windows.AssignProcessToJobObject(job, process)
}

// terminate does nothing: no signal reaches a child without a console.
func (g *group) terminate() {}

func (g *group) kill(time.Time) {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
		_ = windows.CloseHandle(g.job)
	}
}
