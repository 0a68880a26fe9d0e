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

// schemaFile is the report's schema among our own.
const schemaFile = "report/report.schema.json"

// ReadLimit bounds a report document, in bytes. The report of a run has some megabytes
// at most; one that is decoded takes many times its length.
const ReadLimit = 32 << 20

// otherVersion refuses a report of another version of the schema by its version,
// and not by what is new in it.
func otherVersion(raw []byte) error {
	var head struct {
		Kind    string `json:"kind"`
		Version any    `json:"schema_version"`
	}
	if json.Unmarshal(raw, &head) != nil || head.Kind != Kind || head.Version == nil || head.Version == SchemaVersion {
		return nil
	}
	return fmt.Errorf("reports: no report document that this build reads: /schema_version is %q, and this build reads %q",
		fmt.Sprint(head.Version), SchemaVersion)
}

// DigestOf returns the digest by which documents about a report name its document.
func DigestOf(document []byte) string {
	sum := sha256.Sum256(document)
	return hex.EncodeToString(sum[:])
}

// Read reads a report document and validates it by its schema. The error is one
// line that names the place; it wraps what package schemas found.
func Read(r io.Reader) (*Report, error) {
	raw, err := io.ReadAll(io.LimitReader(r, ReadLimit+1))
	if err != nil {
		return nil, fmt.Errorf("reports: %w", err)
	}
	value, err := schemas.Decode(raw, schemas.Limits{Size: ReadLimit})
	if err != nil {
		return nil, fmt.Errorf("reports: no report document: %w", err)
	}
	if err := otherVersion(raw); err != nil {
		return nil, err
	}
	schema, err := schemas.Own(schemaFile)
	if err != nil {
		return nil, fmt.Errorf("reports: %w", err)
	}
	if err := schema.Validate(value); err != nil {
		return nil, fmt.Errorf("reports: no report document: %w", err)
	}
	var report Report
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&report); err != nil {
		return nil, fmt.Errorf("reports: no report document: %w", err)
	}
	report.Digest = DigestOf(raw)
	report.recognise()
	return &report, nil
}

// JoinDigests names several digests by one: that of a single one is itself.
func JoinDigests(all []string) string {
	if len(all) == 1 {
		return all[0]
	}
	sum := sha256.Sum256([]byte(strings.Join(all, "\n")))
	return hex.EncodeToString(sum[:])
}
