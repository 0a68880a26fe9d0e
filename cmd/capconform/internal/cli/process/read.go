package process

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
)

// ReadReport reads a report document. If the file is not one, that is a usage error.
func ReadReport(a *App, path string) (*reports.Report, error) {
	text, err := ReadDocument(a, path)
	if err != nil {
		return nil, err
	}
	return ParseReport(path, text)
}

// ReadDocument reads the text of a report up to a limit.
func ReadDocument(a *App, path string) ([]byte, error) {
	BoundMemory()
	in := a.In
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, Misuse("%v", err)
		}
		defer f.Close() // nothing was written
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, reports.ReadLimit+1))
	if err != nil {
		return nil, Misuse("%v", err)
	}
	if len(text) > reports.ReadLimit {
		return nil, Misuse("%s: the report is longer than capconform's limit of %s", path, driver.Size(reports.ReadLimit))
	}
	return text, nil
}

func ParseReport(path string, text []byte) (*reports.Report, error) {
	report, err := reports.Read(bytes.NewReader(text))
	if err != nil {
		return nil, Misuse("%s: %s", path, strings.TrimPrefix(err.Error(), "reports: "))
	}
	return report, nil
}

// SmallFile is the limit of files that people write: baselines, headers and keys.
const SmallFile = 4 << 20

// ReadFile reads a file of at most limit bytes. A file of the system may have no end.
func ReadFile(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // nothing was written
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s is longer than capconform's limit of %s", path, driver.Size(limit))
	}
	return text, err
}
