package examine

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/record"
)

// recordFile is where --record stores the record of a run. A nil one stores nothing.
type recordFile struct {
	process.PlacedFile
	mask func([]byte) []byte

	mu     sync.Mutex
	writer *record.Writer // of the last attempt; nil before the first
}

// openRecord checks that the path of --record can be written, before anything is examined. It
// returns nil if no record is requested.
func (f *RunFlags) openRecord(others process.Outputs, e *Examination) (*recordFile, error) {
	switch {
	case f.record == "":
		return nil, nil // a nil record keeps nothing
	case f.record == "-":
		return nil, process.Misuse("--record: want a file, because stdout is for results")
	case others.Contain(f.record):
		return nil, process.Misuse("--record: %s is also the path of a report", f.record)
	}
	kept := &recordFile{PlacedFile: process.PlacedFile{Path: f.record, Reads: e.inputFiles}}
	if err := kept.Open(); err != nil {
		return nil, process.Misuse("--record: %v", err)
	}
	kept.mask = e.invocation.mask.Mask
	return kept, nil
}

// begin returns the writer of an attempt to examine the target. The record of the attempt before is not kept.
func (f *recordFile) begin() *record.Writer {
	if f == nil {
		return nil
	}
	f.close()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writer = record.NewWriter(f.mask)
	return f.writer
}

// close removes the stored entries.
func (f *recordFile) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.writer != nil {
		_ = f.writer.Close() // the record is not wanted any more
	}
}

// save writes the record of a run to its file, and its digest to the report.
func (f *recordFile) save(r *reports.Report) error {
	if f == nil {
		return nil
	}
	digest, err := f.write(recordHeader(r, f.writer.Described()))
	r.Run.RecordDigest = digest
	err = f.Place(err)
	if err = errors.Join(err, f.writer.Close()); err != nil {
		return fmt.Errorf("--record %s: %w", f.Path, err)
	}
	return nil
}

func (f *recordFile) write(h record.Header) (string, error) {
	buffer := bufio.NewWriter(f.File)
	var out io.Writer = buffer
	var packed *gzip.Writer
	if strings.HasSuffix(f.Path, ".gz") {
		packed = gzip.NewWriter(buffer)
		out = packed
	}
	digest, err := f.writer.Save(out, h)
	if err != nil {
		return "", err
	}
	if packed != nil {
		if err := packed.Close(); err != nil {
			return "", err
		}
	}
	return digest, buffer.Flush()
}

// discard removes what was not saved. It may be called after save.
func (f *recordFile) discard() {
	if f == nil {
		return
	}
	f.PlacedFile.Discard()
	f.close()
}

// recordHeader adds to a header what a complete report states about its run.
func recordHeader(r *reports.Report, h record.Header) record.Header {
	h.Harness = record.Harness{
		Name: r.Harness.Name, Version: r.Harness.Version,
		CatalogueDigest: r.Harness.CatalogueDigest, FeaturesDigest: r.Harness.FeaturesDigest,
	}
	h.Subject = record.Subject{Name: r.Subject.Name, Version: r.Subject.Version, Driver: r.Subject.Driver,
		Target: r.Subject.Target}
	h.Suites, h.Options, h.Seed = []record.Suite{}, r.Run.Options, r.Run.Seed
	h.Asked = append([]string{}, r.NotSpoken...)
	switch {
	case r.Run.Stopped != nil:
		h.Unfinished = r.Run.Stopped.Reason
	case r.Run.Interrupted:
		h.Unfinished = "interrupted"
	}
	for _, s := range r.Suites {
		h.Suites = append(h.Suites, record.Suite{Suite: s.Suite, SpecVersion: s.SpecVersion, Edition: s.Edition,
			TextDigest: s.TextDigest})
		h.Asked = append(h.Asked, s.Suite)
	}
	return h
}
