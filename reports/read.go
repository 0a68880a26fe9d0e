package reports

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/capconform/capconform/schemas"
)

// schemaFile is the schema of reports.
const schemaFile = "report/report.schema.json"

// ReadLimit bounds a report document, in bytes. The report of a run has a few megabytes at most,
// and many times its length when it is decoded.
const ReadLimit = 32 << 20

// otherVersion refuses a report of another schema version by its version, and not by its new
// members.
func otherVersion(raw []byte) error {
	var head struct {
		Kind    string `json:"kind"`
		Version any    `json:"schema_version"`
	}
	if json.Unmarshal(raw, &head) != nil || head.Kind != Kind || head.Version == nil || head.Version == SchemaVersion {
		return nil
	}
	return fmt.Errorf("reports: not a report document of this build: /schema_version is %q, but this build reads %q",
		fmt.Sprint(head.Version), SchemaVersion)
}

// DigestOf returns the digest by which documents about a report identify it.
func DigestOf(document []byte) string {
	sum := sha256.Sum256(document)
	return hex.EncodeToString(sum[:])
}

// Read reads a report document and validates it against its schema. The error is one line that
// names the place; it wraps the error of package schemas.
func Read(r io.Reader) (*Report, error) {
	raw, err := io.ReadAll(io.LimitReader(r, ReadLimit+1))
	if err != nil {
		return nil, fmt.Errorf("reports: %w", err)
	}
	value, err := schemas.Decode(raw, schemas.Limits{Size: ReadLimit})
	if err != nil {
		return nil, fmt.Errorf("reports: not a report document: %w", err)
	}
	if err := otherVersion(raw); err != nil {
		return nil, err
	}
	schema, err := schemas.Own(schemaFile)
	if err != nil {
		return nil, fmt.Errorf("reports: %w", err)
	}
	if err := schema.Validate(value); err != nil {
		return nil, fmt.Errorf("reports: not a report document: %w", err)
	}
	var report Report
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&report); err != nil {
		return nil, fmt.Errorf("reports: not a report document: %w", err)
	}
	report.Digest = DigestOf(raw)
	recognise(&report)
	return &report, nil
}

// JoinDigests combines several digests into one. A single digest is returned unchanged.
func JoinDigests(all []string) string {
	if len(all) == 1 {
		return all[0]
	}
	sum := sha256.Sum256([]byte(strings.Join(all, "\n")))
	return hex.EncodeToString(sum[:])
}
