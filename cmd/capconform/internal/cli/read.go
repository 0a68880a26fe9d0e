package cli

import (
	"bytes"
	"io"
	"os"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
)

// readReport reads a report document. If the file is not one, that is a usage error.
func readReport(a *app, path string) (*reports.Report, error) {
	text, err := readDocument(a, path)
	if err != nil {
		return nil, err
	}
	return parseReport(path, text)
}

// readDocument reads the text of a report up to a limit.
func readDocument(a *app, path string) ([]byte, error) {
	boundMemory()
	in := a.in
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, misuse("%v", err)
		}
		defer f.Close() // nothing was written
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, reports.ReadLimit+1))
	if err != nil {
		return nil, misuse("%v", err)
	}
	if len(text) > reports.ReadLimit {
		return nil, misuse("%s: the report is longer than capconform's limit of %s", path, driver.Size(reports.ReadLimit))
	}
	return text, nil
}

func parseReport(path string, text []byte) (*reports.Report, error) {
	report, err := reports.Read(bytes.NewReader(text))
	if err != nil {
		return nil, misuse("%s: %s", path, strings.TrimPrefix(err.Error(), "reports: "))
	}
	return report, nil
}
