package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// member is one file or folder of an archive.
type member struct {
	name string
	mode int64
	data []byte // nil for a folder
}

const (
	plainMode      = 0o644
	executableMode = 0o755
)

// archives packs each binary with its licence, documentation, completions, man pages and bill of
// materials.
func (r *release) archives() error {
	shared, err := r.sharedFiles()
	if err != nil {
		return err
	}
	for _, p := range r.platforms {
		binary, err := os.ReadFile(r.path(p.binary()))
		if err != nil {
			return err
		}
		bill, err := os.ReadFile(r.path(p.sbomName()))
		if err != nil {
			return err
		}
		members := append([]member{{"capconform" + p.suffix(), executableMode, binary},
			{"capconform.cdx.json", plainMode, bill}},
			shared...)
		pack := gzipped
		if strings.HasSuffix(p.archive(), ".zip") {
			pack = zipped
		}
		packed, err := pack(members, r.time)
		if err != nil {
			return err
		}
		if err := r.write(p.archive(), packed); err != nil {
			return err
		}
	}
	return nil
}

// sharedFiles returns the files that are the same for every platform.
func (r *release) sharedFiles() ([]member, error) {
	var all []member
	add := func(name, path string) error {
		data, err := os.ReadFile(path)
		all = append(all, member{name, plainMode, data})
		return err
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		if err := add(name, filepath.Join(r.root, name)); err != nil {
			return nil, err
		}
	}
	for _, folder := range []string{"completions", "man"} {
		entries, err := os.ReadDir(filepath.Join(r.share, folder)) // sorted by name
		if err != nil {
			return nil, err
		}
		if len(entries) == 0 {
			return nil, fmt.Errorf("%s is empty", folder)
		}
		for _, e := range entries {
			if err := add(folder+"/"+e.Name(), filepath.Join(r.share, folder, e.Name())); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// corpusFile contains the corpus, for validators and test suites of other projects.
const corpusFile = "capconform_corpus.tar.gz"

// corpus packs the corpus with its licence and its schemas, without Go files.
func (r *release) corpus() error {
	license, err := os.ReadFile(filepath.Join(r.root, "LICENSE"))
	if err != nil {
		return err
	}
	members := []member{{"corpus/LICENSE", plainMode, license}}
	for _, from := range []struct{ path, name string }{
		{filepath.Join("reference", "corpus"), "corpus"}, {filepath.Join("schemas", "corpus"), "corpus/schemas/corpus"},
		{filepath.Join("schemas", "record"), "corpus/schemas/record"},
	} {
		found, err := folder(filepath.Join(r.root, from.path))
		if err != nil {
			return err
		}
		for _, m := range found {
			if m.data != nil && !strings.HasSuffix(m.name, ".go") {
				members = append(members, member{from.name + "/" + m.name, plainMode, m.data})
			}
		}
	}
	packed, err := gzipped(members, r.time)
	if err != nil {
		return err
	}
	return r.write(corpusFile, packed)
}

// writeTar writes members, without any content that differs between builds.
func writeTar(w io.Writer, members []member, made time.Time) error {
	t := tar.NewWriter(w)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Mode: m.mode, ModTime: made, Format: tar.FormatUSTAR, Typeflag: tar.TypeReg,
			Size: int64(len(m.data))}
		if m.data == nil {
			h.Typeflag, h.Name = tar.TypeDir, strings.TrimSuffix(m.name, "/")+"/"
		}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(m.data); err != nil {
			return err
		}
	}
	return t.Close()
}

// gzipped packs members as tar.gz.
func gzipped(members []member, made time.Time) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if err := writeTar(z, members, made); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// zipped packs members as zip.
func zipped(members []member, made time.Time) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: made}
		h.SetMode(os.FileMode(m.mode)) // a mode of this package
		w, err := z.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(m.data); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// checksumFile lists the files of a release with their digests, in the form of sha256sum.
const checksumFile = "checksums.txt"

// checksums writes the digests of all released files.
func (r *release) checksums() error {
	entries, err := os.ReadDir(r.dist)
	if err != nil {
		return err
	}
	var lines []string
	for _, e := range entries {
		if e.IsDir() || e.Name() == checksumFile {
			continue
		}
		sum, err := r.digest(e.Name())
		if err != nil {
			return err
		}
		lines = append(lines, sum+"  "+e.Name()+"\n")
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return r.write(checksumFile, []byte(strings.Join(lines, "")))
}

// digest returns the SHA-256 digest of a file of the release.
func (r *release) digest(name string) (string, error) {
	data, err := os.ReadFile(r.path(name))
	return fmt.Sprintf("%x", sha256.Sum256(data)), err
}
