package main

import (
	"bytes"
	"encoding/pem"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// imageFile is an OCI layout with an image for each platform of Linux.
const imageFile = "capconform_oci.tar"

// nobody is the user of the image, which owns no file.
const nobody = "65532:65532"

// image writes the container image. It contains only the binary, the certificates of authorities,
// and a folder for temporary files. No container engine is needed.
func (r *release) image() error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	images := 0
	for _, p := range r.platforms {
		if p.os != "linux" {
			continue
		}
		image, err := r.imageOf(p)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: p.os, Architecture: p.arch}},
		})
		images++
	}
	if images == 0 {
		return nil
	}
	scratch, err := os.MkdirTemp("", "capconform-image")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch) // a folder of the system's temporary ones
	path, err := layout.Write(scratch, empty.Index)
	if err != nil {
		return err
	}
	name := map[string]string{"org.opencontainers.image.ref.name": r.version}
	if err := path.AppendIndex(index, layout.WithAnnotations(name)); err != nil {
		return err
	}
	members, err := folder(scratch)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	if err := writeTar(&packed, members, r.time); err != nil {
		return err
	}
	return r.write(imageFile, packed.Bytes())
}

// imageOf returns the image of one platform.
func (r *release) imageOf(p platform) (v1.Image, error) {
	binary, err := os.ReadFile(r.path(p.binary()))
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	err = writeTar(&packed, []member{
		{"capconform", executableMode, binary},
		{"etc", executableMode, nil},
		{"etc/ssl", executableMode, nil},
		{"etc/ssl/certs", executableMode, nil},
		{"etc/ssl/certs/ca-certificates.crt", plainMode, certificates()},
		{"tmp", 0o1777, nil},
		{"work", 0o1777, nil},
	}, r.time)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(packed.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	made := v1.Time{Time: r.time}
	image, err = mutate.Append(image,
		mutate.Addendum{Layer: layer, History: v1.History{Created: made, CreatedBy: "make dist"}})
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created, config.Config = p.os, p.arch, made, r.imageConfig()
	return mutate.ConfigFile(image, config)
}

// imageConfig returns the settings of a container of the image.
func (r *release) imageConfig() v1.Config {
	return v1.Config{
		User: nobody, WorkingDir: "/work", Entrypoint: []string{"/capconform"}, Cmd: []string{"--help"},
		Env: []string{"PATH=/", "HOME=/tmp"},
		Labels: map[string]string{
			"org.opencontainers.image.title":       "capconform",
			"org.opencontainers.image.description": about,
			"org.opencontainers.image.source":      home,
			"org.opencontainers.image.version":     r.version,
			"org.opencontainers.image.revision":    r.commit,
			"org.opencontainers.image.licenses":    "Apache-2.0",
		},
	}
}

// certificates returns the certificates of the authorities that Mozilla trusts for servers without
// constraints, in PEM.
func certificates() []byte {
	var all bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil { // a file of certificates cannot express constraints
			_ = pem.Encode(&all, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a buffer never fails
		}
	}
	return all.Bytes()
}

// folder reads a folder as members, sorted by name.
func folder(root string) ([]member, error) {
	var all []member
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		m := member{name: filepath.ToSlash(name), mode: executableMode}
		if !entry.IsDir() {
			m.mode = plainMode
			if m.data, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		all = append(all, m)
		return nil
	})
	return all, err
}
