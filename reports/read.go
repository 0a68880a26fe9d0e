package reports

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
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

// checkVersion refuses a report of another schema version because of its version, so that the
// error does not name its new members.
func checkVersion(raw []byte) error {
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

// schemaError states how a document breaks its schema.
func schemaError(err error) error {
	if broken := (*schemas.Invalidity)(nil); errors.As(err, &broken) {
		return fmt.Errorf("reports: not a report document: %s", broken.Summary())
	}
	return fmt.Errorf("reports: not a report document: %w", err)
}

// syntaxError states where a document is not JSON, for the reader of the file.
func syntaxError(raw []byte, err error) error {
	var defect *schemas.DecodeError
	switch {
	case !errors.As(err, &defect):
		return fmt.Errorf("reports: not a report document: %w", err)
	case defect.Kind == schemas.Empty:
		return errors.New("reports: not a report document: the file is empty")
	case defect.Kind == schemas.Syntax && defect.Offset >= int64(len(bytes.TrimSpace(raw))):
		return fmt.Errorf("reports: not a report document: it is cut off after %d bytes", len(raw))
	default:
		before := raw[:min(max(defect.Offset, 0), int64(len(raw)))]
		return fmt.Errorf("reports: not a report document: line %d: %s", bytes.Count(before, []byte("\n"))+1, defect.Message)
	}
}

// DigestOf returns the digest by which documents about a report identify it.
func DigestOf(document []byte) string {
	sum := sha256.Sum256(document)
	return hex.EncodeToString(sum[:])
}

// Read reads a report document and validates it against its schema. The error is one line that
// names the place.
func Read(r io.Reader) (*Report, error) {
	raw, err := io.ReadAll(io.LimitReader(r, ReadLimit+1))
	if err != nil {
		return nil, fmt.Errorf("reports: %w", err)
	}
	value, err := schemas.Decode(raw, schemas.Limits{Size: ReadLimit})
	if err != nil {
		return nil, syntaxError(raw, err)
	}
	if err := checkVersion(raw); err != nil {
		return nil, err
	}
	schema, err := schemas.Own(schemaFile)
	if err != nil {
		return nil, fmt.Errorf("reports: %w", err)
	}
	if err := schema.Validate(value); err != nil {
		return nil, schemaError(err)
	}
	var report Report
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&report); err != nil {
		return nil, fmt.Errorf("reports: not a report document: %w", err)
	}
	report.Digest = DigestOf(raw)
	markKnownFailures(&report)
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
