package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"net/url"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/uuid"
)

// sbomName returns the name of the bill of materials of a binary.
func (p platform) sbomName() string { return "capconform_" + p.String() + ".cdx.json" }

// sboms writes, for each binary, the modules that the Go linker included.
func (r *release) sboms() error {
	for _, p := range r.platforms {
		binary, err := os.ReadFile(r.path(p.binary()))
		if err != nil {
			return err
		}
		info, err := buildinfo.Read(bytes.NewReader(binary))
		if err != nil {
			return err
		}
		var text bytes.Buffer
		encoder := cdx.NewBOMEncoder(&text, cdx.BOMFileFormatJSON).SetPretty(true)
		if err := encoder.EncodeVersion(r.sbom(p, info, sha256.Sum256(binary)), cdx.SpecVersion1_6); err != nil {
			return err
		}
		if err := r.write(p.sbomName(), text.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// sbom returns the bill of materials of one binary. Its serial number follows from the binary.
func (r *release) sbom(p platform, info *debug.BuildInfo, digest [sha256.Size]byte) *cdx.BOM {
	subject := component(info.Main.Path, r.tag(), cdx.ComponentTypeApplication)
	subject.Description = about
	subject.Licenses = &cdx.Licenses{{License: &cdx.License{ID: "Apache-2.0"}}}
	subject.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: fmt.Sprintf("%x", digest)}}
	subject.ExternalReferences = &[]cdx.ExternalReference{{Type: cdx.ERTypeVCS, URL: home}}
	subject.Properties = &[]cdx.Property{{Name: "file", Value: p.binary()}, {Name: "commit", Value: r.commit}}

	components := []cdx.Component{component("std", strings.TrimPrefix(info.GoVersion, "go"), cdx.ComponentTypeLibrary)}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := component(m.Path, m.Version, cdx.ComponentTypeLibrary)
		c.Properties = &[]cdx.Property{{Name: "go.sum", Value: m.Sum}}
		components = append(components, c)
	}
	slices.SortFunc(components, func(a, b cdx.Component) int { return cmp.Compare(a.BOMRef, b.BOMRef) })
	used := make([]string, 0, len(components))
	for _, c := range components {
		used = append(used, c.BOMRef)
	}

	bom := cdx.NewBOM()
	bom.SerialNumber = "urn:uuid:" + uuid.NewSHA1(uuid.NameSpaceURL, digest[:]).String()
	bom.Metadata = &cdx.Metadata{Timestamp: r.time.Format(time.RFC3339), Component: &subject}
	bom.Components = &components
	bom.Dependencies = &[]cdx.Dependency{{Ref: subject.BOMRef, Dependencies: &used}}
	return bom
}

// component returns a Go module as a component.
func component(path, version string, kind cdx.ComponentType) cdx.Component {
	parts := strings.Split(path, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	purl := "pkg:golang/" + strings.Join(parts, "/") + "@" + url.PathEscape(version)
	return cdx.Component{BOMRef: purl, Type: kind, Name: path, Version: version, PackageURL: purl}
}
