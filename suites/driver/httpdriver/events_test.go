package httpdriver_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/capconform/capconform/suites/driver/httpdriver"
)

func TestEvents(t *testing.T) {
	tests := map[string]struct {
		stream string
		want   []string // name, data, id
	}{
		"plain":          {"data: a\n\n", []string{" a "}},
		"no space":       {"data:a\n\n", []string{" a "}},
		"CRLF":           {"event: message\r\ndata: a\r\n\r\ndata: b\r\n\r\n", []string{"message a ", " b "}},
		"CR":             {"data: a\r\rdata: b\r\r", []string{" a ", " b "}},
		"several":        {"data: {\ndata: }\n\n", []string{" {\n} "}},
		"comments":       {": hello\n\ndata: a\n: in between\n\n", []string{" a "}},
		"priming":        {"id: 1\ndata:\n\nid: 2\ndata: a\n\n", []string{" a 2"}},
		"id is retained": {"id: 7\ndata: a\n\ndata: b\n\n", []string{" a 7", " b 7"}},
		"BOM":            {"\xef\xbb\xbfdata: a\n\n", []string{" a "}},
		"unfinished":     {"data: a\n\ndata: b\n", []string{" a "}},
		"unknown":        {"x: y\nretry: 5\nretry: soon\ndata\ndata: a\n\n", []string{" \na "}},
		"name is reset":  {"event: other\n\ndata: a\n\n", []string{" a "}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(test.stream),
				iotest.OneByteReader(strings.NewReader(test.stream))} {
				stream := httpdriver.NewEvents(in, 100, 1000)
				var got []string
				for {
					e, err := stream.Next()
					if err != nil {
						break
					}
					got = append(got, fmt.Sprintf("%s %s %s", e.Name, e.Data, e.ID))
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("events (-want +got):\n%s", diff)
				}
			}
		})
	}
}
