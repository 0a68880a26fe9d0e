package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// terminal COLUMNS FILE ARGS...: runs capconform on a terminal with that number of columns. It writes the final
// content of the terminal to FILE, and everything that was ever displayed, one line each, to FILE.then. It ignores
// the exit status. The words of the variable TYPED are typed, each when what is displayed ends with ": "; ^C, ^D and ^M
// are keys. After the last word, ^D is typed.
func terminal(ts *testscript.TestScript, _ bool, args []string) {
	columns, err := strconv.ParseUint(args[0], 10, 16)
	ts.Check(err)
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	ts.Check(err)
	descriptor := int(master.Fd())
	ts.Check(unix.IoctlSetPointerInt(descriptor, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(descriptor, unix.TIOCGPTN)
	ts.Check(err)
	ts.Check(unix.IoctlSetWinsize(descriptor, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: uint16(columns)}))
	side, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	ts.Check(err)
	path, err := exec.LookPath("capconform")
	ts.Check(err)
	c := exec.Command(path, args[2:]...)
	c.Dir = ts.Getenv("WORK")
	c.Env = []string{
		"PATH=" + ts.Getenv("PATH"),
		"TERM=xterm",
		"HOME=" + ts.Getenv("WORK"),
		"NO_COLOR=" + ts.Getenv("NO_COLOR"),
	}
	c.Stdin, c.Stdout, c.Stderr = side, side, side
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	ts.Check(c.Start())
	ts.Check(side.Close())
	shown := typing{master: master, words: strings.Fields(ts.Getenv("TYPED"))}
	if _, err := io.Copy(&shown, master); err != nil && !errors.Is(err, syscall.EIO) { // EIO: the other side is closed
		ts.Check(err)
	}
	_ = c.Wait() // the script checks the output
	ts.Check(master.Close())
	text := strings.ReplaceAll(shown.text.String(), "\r\n", "\n")
	then := strings.ReplaceAll(text, "\r\x1b[K", "\n")
	var last strings.Builder
	for line := range strings.Lines(text) {
		_, _ = last.WriteString(line[strings.LastIndex(line, "\r\x1b[K")+1:]) // never fails
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.ReplaceAll(last.String(), "\x1b[K", "")), 0o666))
	ts.Check(os.WriteFile(ts.MkAbs(args[1])+".then", []byte(then), 0o666))
}

// typing is what a terminal displayed. It types the next word when it is asked for.
type typing struct {
	text   bytes.Buffer
	master io.Writer
	words  []string
}

// Write implements io.Writer.
func (t *typing) Write(shown []byte) (int, error) {
	_, _ = t.text.Write(shown) // never fails
	if !bytes.HasSuffix(t.text.Bytes(), []byte(": ")) {
		return len(shown), nil
	}
	if len(t.words) == 0 {
		t.words = []string{"^D"}
	}
	word := strings.NewReplacer("^C", "\x03", "^D", "\x04", "^M", "\n").Replace(t.words[0])
	t.words = t.words[1:]
	_, err := io.WriteString(t.master, word)
	return len(shown), err
}

// systemCommands are the commands of scripts that exist only on this system.
func systemCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){"terminal": terminal}
}
