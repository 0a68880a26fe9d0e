package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// soon is the longest permitted time between the download and the first verdict.
const soon = 60 * time.Second

// bare runs a shell command in a folder, with an empty HOME and without the environment of the test, and returns its
// output.
func bare(t *testing.T, folder, line string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	path := "/usr/bin:/bin"
	if node, err := exec.LookPath("node"); err == nil {
		path += ":" + filepath.Dir(node)
	}
	c := exec.CommandContext(ctx, "/bin/sh", "-euc", line)
	c.Dir, c.WaitDelay = folder, time.Second // background processes may keep the output open
	c.Env = []string{"PATH=" + path, "HOME=" + t.TempDir()}
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%s\n%s", line, out)
	return string(out)
}

// copied copies files of the release to an empty folder, as a download would.
func (r *release) copied(t *testing.T, names ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range names {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), r.read(t, name), 0o666))
	}
	return folder
}

func TestFirstVerdictWithoutEnvironment(t *testing.T) {
	r := built(t)
	p := r.here(t)
	system, cpu := npmPlatform(p)
	ours := "capconform-" + system + "-" + cpu + ".tgz"
	for _, c := range []struct {
		name  string
		files []string
		line  string
	}{
		{"plain binary", []string{p.binary()}, "chmod +x " + p.binary() + " && ./" + p.binary() + " run reference"},
		{"archive", []string{p.archive()}, "tar -xf " + p.archive() + " && ./capconform run reference"},
		{"npm", []string{"capconform.tgz", ours}, "npm install --offline --no-audit --no-fund ./capconform.tgz ./" + ours + " && npx --no-install capconform run reference"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "npm" {
				needs(t, "npm")
			}
			folder := r.copied(t, c.files...)
			begun := time.Now()
			out := bare(t, folder, c.line)
			assert.Contains(t, out, "✓ conformant")
			t.Logf("%s: first verdict after %s", c.name, time.Since(begun).Round(10*time.Millisecond))
		})
	}
}

func needs(t *testing.T, command string) {
	t.Helper()
	if _, err := exec.LookPath(command); err != nil {
		t.Skip(command + " is not installed")
	}
}

func TestLauncherRunsProgram(t *testing.T) {
	needs(t, "npm")
	r := built(t)
	system, cpu := npmPlatform(r.here(t))
	ours := "capconform-" + system + "-" + cpu + ".tgz"
	folder := r.copied(t, "capconform.tgz", ours)
	out := bare(t, folder, "npm install --offline --no-audit --no-fund ./capconform.tgz ./"+ours+" >&2 && npx --no-install capconform version")
	assert.Contains(t, out, "capconform v0.1.0-check (commit ")
	out = bare(t, folder, "npx --no-install capconform run http://127.0.0.1:1 || echo status $?")
	assert.Contains(t, out, "status 3", "the exit status is that of capconform")
	out = bare(t, folder, `node_modules/.bin/capconform serve --listen 127.0.0.1:0 >url &
		until test -s url; do sleep 0.1; done; kill -TERM $!; if wait $!; then echo ended; else echo ended by $?; fi`)
	assert.Contains(t, out, "ended", "the launcher ends when capconform has ended")
	out = bare(t, folder, "rm -r node_modules/@capconform; npx --no-install capconform version || echo status $?")
	assert.Contains(t, out, "npm has not installed @capconform/"+system+"-"+cpu)
	assert.Contains(t, out, "status 2")
}

// npm pack must pack the same files from the content of a package: its rules omit nothing.
func TestPackagesEqualNpmPack(t *testing.T) {
	needs(t, "npm")
	r := built(t)
	names := []string{"capconform.tgz"}
	for _, p := range r.platforms {
		system, cpu := npmPlatform(p)
		names = append(names, "capconform-"+system+"-"+cpu+".tgz")
	}
	for _, name := range names {
		folder := r.copied(t, name)
		out := bare(t, folder, "tar -xf "+name+" && cd package && npm pack --json 2>/dev/null")
		var packed []struct {
			Files []struct {
				Path string `json:"path"`
				Mode int64  `json:"mode"`
			} `json:"files"`
		}
		require.NoError(t, json.Unmarshal([]byte(out[strings.Index(out, "["):]), &packed), out)
		want, got := map[string]int64{}, map[string]int64{}
		for path, m := range unpack(t, name, r.read(t, name)) {
			want[strings.TrimPrefix(path, "package/")] = m.mode
		}
		for _, f := range packed[0].Files {
			got[f.Path] = f.Mode & 0o777
		}
		assert.Equal(t, want, got, name)
	}
}

// TestTagIsInstallable serves the repository from a folder like a module proxy, and installs it by its tag.
func TestTagIsInstallable(t *testing.T) {
	built(t)
	if testing.Short() {
		t.Skip("it compiles everything again")
	}
	const path, version = "github.com/capconform/capconform", "v0.1.0-check"
	proxy := t.TempDir()
	folder := filepath.Join(proxy, path, "@v")
	require.NoError(t, os.MkdirAll(folder, 0o777))
	clone := filepath.Join(t.TempDir(), "clone") // package zip does not accept a worktree
	require.NoError(t, exec.CommandContext(t.Context(), "git", "clone", "--quiet", "--local", "..", clone).Run())
	archive, err := os.Create(filepath.Join(folder, version+".zip"))
	require.NoError(t, err)
	require.NoError(t, zip.CreateFromVCS(archive, module.Version{Path: path, Version: version}, clone, "HEAD", ""))
	require.NoError(t, archive.Close())
	gomod, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, version+".mod"), gomod, 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(folder, version+".info"), []byte(`{"Version":"`+version+`"}`), 0o666))

	require.NoError(t, os.WriteFile(filepath.Join(folder, "list"), []byte(version+"\n"), 0o666))

	cache, err := exec.CommandContext(t.Context(), "go", "env", "GOMODCACHE").Output()
	require.NoError(t, err)
	known := "file://" + filepath.Join(strings.TrimSpace(string(cache)), "cache", "download")
	bin := t.TempDir()
	install := exec.CommandContext(t.Context(), "go", "install", path+"/cmd/capconform@"+version)
	install.Dir = t.TempDir()
	// Every other module comes from the cache, where go.sum has verified it.
	install.Env = append(
		os.Environ(),
		"GOPROXY=file://"+proxy+","+known,
		"GOSUMDB=off",
		"GOFLAGS=-modcacherw -trimpath",
		"GOBIN="+bin,
		"GOMODCACHE="+t.TempDir(),
	)
	out, err := install.CombinedOutput()
	require.NoError(t, err, "%s", out)
	output, err := exec.CommandContext(t.Context(), filepath.Join(bin, "capconform"), "version").Output()
	require.NoError(t, err)
	assert.Contains(t, string(output), "capconform "+version)
}
