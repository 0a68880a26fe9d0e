package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The two folders that release/check built.
var (
	distFlag  = flag.String("dist", "", "a `FOLDER` that make dist wrote")
	againFlag = flag.String("again", "", "another `FOLDER`, of the same version")
)

// built returns the folder of the release under test.
func built(t *testing.T) *release {
	t.Helper()
	if *distFlag == "" {
		t.Skip("release/check builds what this tests")
	}
	r := &release{version: "0.1.0-check", dist: *distFlag}
	binaries, err := filepath.Glob(r.path("capconform_*_*"))
	require.NoError(t, err)
	for _, path := range binaries {
		if name := strings.TrimSuffix(filepath.Base(path), ".exe"); !strings.Contains(name, ".") {
			parts := strings.Split(name, "_")
			r.platforms = append(r.platforms, platform{parts[1], parts[2]})
		}
	}
	require.NotEmpty(t, r.platforms)
	return r
}

func (r *release) read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(r.path(name))
	require.NoError(t, err)
	return data
}

func TestBuildsAreReproducible(t *testing.T) {
	r := built(t)
	again := &release{dist: *againFlag}
	entries, err := os.ReadDir(r.dist)
	require.NoError(t, err)
	others, err := os.ReadDir(again.dist)
	require.NoError(t, err)
	require.Len(t, others, len(entries))
	for _, e := range entries {
		if !bytes.Equal(r.read(t, e.Name()), again.read(t, e.Name())) {
			t.Errorf("%s: two builds of the same commit differ", e.Name())
		}
	}
}

func TestEveryFileHasChecksum(t *testing.T) {
	r := built(t)
	listed := map[string]bool{}
	for line := range strings.Lines(string(r.read(t, checksumFile))) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		require.True(t, ok, line)
		got, err := r.digest(name)
		require.NoError(t, err)
		assert.Equal(t, sum, got, name)
		listed[name] = true
	}
	entries, err := os.ReadDir(r.dist)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Name() != checksumFile && !listed[e.Name()] {
			t.Errorf("%s has no checksum", e.Name())
		}
	}
}

// unpack reads an archive.
func unpack(t *testing.T, name string, data []byte) map[string]member {
	t.Helper()
	all := map[string]member{}
	if strings.HasSuffix(name, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		require.NoError(t, err)
		for _, f := range z.File {
			r, err := f.Open()
			require.NoError(t, err)
			text, err := io.ReadAll(r)
			require.NoError(t, err)
			all[f.Name] = member{f.Name, int64(f.Mode()), text}
		}
		return all
	}
	var stream io.Reader = bytes.NewReader(data)
	if strings.HasSuffix(name, "gz") {
		z, err := gzip.NewReader(stream)
		require.NoError(t, err)
		stream = z
	}
	reader := tar.NewReader(stream)
	for {
		h, err := reader.Next()
		if err == io.EOF {
			return all
		}
		require.NoError(t, err)
		text, err := io.ReadAll(reader)
		require.NoError(t, err)
		all[h.Name] = member{h.Name, h.Mode, text}
	}
}

func TestArchivesContainInstalledFiles(t *testing.T) {
	r := built(t)
	for _, p := range r.platforms {
		files := unpack(t, p.archive(), r.read(t, p.archive()))
		for _, name := range []string{
			"LICENSE", "README.md", "CHANGELOG.md", "man/capconform.1", "man/capconform-run.1", "completions/capconform.bash",
			"completions/_capconform", "completions/capconform.fish", "completions/capconform.ps1", "capconform.cdx.json",
		} {
			assert.NotEmpty(t, files[name].data, "%s: %s", p, name)
		}
		binary := files["capconform"+p.suffix()]
		assert.True(t, bytes.Equal(binary.data, r.read(t, p.binary())), "%s: the binary in the archive differs", p)
		assert.EqualValues(t, executableMode, binary.mode&0o777)
	}
}

func TestBillsAreValidAndComplete(t *testing.T) {
	r := built(t)
	schema := billSchema(t)
	demanded := requiredModules(t)
	for _, p := range r.platforms {
		text := r.read(t, p.sbomName())
		instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		require.NoError(t, schema.Validate(instance), p)
		var bom cdx.BOM
		require.NoError(t, json.Unmarshal(text, &bom))
		sum, err := r.digest(p.binary())
		require.NoError(t, err)
		assert.Equal(t, sum, (*bom.Metadata.Component.Hashes)[0].Value)
		var names []string
		for _, c := range *bom.Components {
			names = append(names, c.Name+" "+c.Version)
		}
		assert.Contains(t, strings.Join(names, "\n"), "std 1.")
		for _, module := range []string{"github.com/spf13/cobra", "github.com/cucumber/godog", "github.com/modelcontextprotocol/go-sdk"} {
			assert.Contains(t, names, module+" "+demanded[module], p)
		}
	}
}

// requiredModules returns the versions in the go.mod of capconform.
func requiredModules(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	all := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) (v\S+)`).FindAllStringSubmatch(string(text), -1) {
		all[m[1]] = m[2]
	}
	require.NotEmpty(t, all)
	return all
}

// billSchema returns the schema of CycloneDX from its library.
func billSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	folder, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/CycloneDX/cyclonedx-go").Output()
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	var id string
	for _, name := range []string{"jsf-0.82.schema.json", "spdx.schema.json", "bom-1.6.schema.json"} {
		path := filepath.Join(strings.TrimSpace(string(folder)), "schema", name)
		text, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			text, err = os.ReadFile(strings.TrimSuffix(path, ".json") + "x.json")
		}
		require.NoError(t, err)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		id, _ = doc.(map[string]any)["$id"].(string)
		require.NoError(t, c.AddResource(id, doc))
	}
	schema, err := c.Compile(id)
	require.NoError(t, err)
	return schema
}

func TestImageContainsOnlyBinary(t *testing.T) {
	r := built(t)
	folder := t.TempDir()
	for name, m := range unpack(t, imageFile, r.read(t, imageFile)) {
		path := filepath.Join(folder, name)
		if strings.HasSuffix(name, "/") {
			continue
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, m.data, 0o666))
	}
	outer, err := layout.ImageIndexFromPath(folder)
	require.NoError(t, err)
	manifest, err := outer.IndexManifest()
	require.NoError(t, err)
	require.Len(t, manifest.Manifests, 1)
	assert.Equal(t, "0.1.0-check", manifest.Manifests[0].Annotations["org.opencontainers.image.ref.name"])
	index, err := outer.ImageIndex(manifest.Manifests[0].Digest)
	require.NoError(t, err)
	require.NoError(t, validate.Index(index))
	inner, err := index.IndexManifest()
	require.NoError(t, err)
	linux := slices.DeleteFunc(slices.Clone(r.platforms), func(p platform) bool { return p.os != "linux" })
	require.Len(t, inner.Manifests, len(linux))
	for _, d := range inner.Manifests {
		image, err := index.Image(d.Digest)
		require.NoError(t, err)
		r.inspect(t, image, platform{d.Platform.OS, d.Platform.Architecture})
	}
}

// inspect checks the configuration and the layers of one image.
func (r *release) inspect(t *testing.T, image v1.Image, p platform) {
	t.Helper()
	config, err := image.ConfigFile()
	require.NoError(t, err)
	assert.Equal(t, p, platform{config.OS, config.Architecture})
	assert.Equal(t, []string{"/capconform"}, config.Config.Entrypoint)
	assert.Equal(t, nobody, config.Config.User)
	assert.Equal(t, "0.1.0-check", config.Config.Labels["org.opencontainers.image.version"])
	layers, err := image.Layers()
	require.NoError(t, err)
	require.Len(t, layers, 1)
	content, err := layers[0].Uncompressed()
	require.NoError(t, err)
	data, err := io.ReadAll(content)
	require.NoError(t, err)
	files := unpack(t, "layer.tar", data)
	assert.True(t, bytes.Equal(files["capconform"].data, r.read(t, p.binary())))
	assert.Greater(t, bytes.Count(files["etc/ssl/certs/ca-certificates.crt"].data, []byte("BEGIN CERTIFICATE")), 50)
	assert.EqualValues(t, 0o1777, files["tmp/"].mode)
	assert.Len(t, files, 7)
}

// here returns the platform of the tests, if it was built.
func (r *release) here(t *testing.T) platform {
	t.Helper()
	p := platform{runtime.GOOS, runtime.GOARCH}
	if !r.has(p) {
		t.Skip(fmt.Sprint(p, " was not built"))
	}
	return p
}
