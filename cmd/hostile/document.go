package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// document is a file, or a folder of files, that is hard to read.
type document struct {
	name, summary string
	files         map[string]func(w *bufio.Writer)
	statuses      []int
}

// Texts of documents.
const (
	emptyManifest = `{"capability_id":"a.b","version":"1.0.0","kind":"tool","name":"n","description":"d",` +
		`"input_schema":{"type":"object"}`
	emptyReport = `{"schema_version":"1.0","kind":"ConformanceReport","verdict":"conformant",` +
		`"harness":{"name":"capconform"},"subject":{"name":"s"},"run":{"id":"r"}`
	event = `{"event_id":"e","event_type":"execution_started","invocation_id":"i","capability_id":"a.b",` +
		`"host_id":"h","correlation":{"correlation_id":"c"},"timestamp":"2026-05-04T10:00:00Z","sequence":0,` +
		`"payload":{},"redacted":false,"assurance":{}}`
)

func lintDocuments() []document {
	one := func(name, summary, file string, write func(*bufio.Writer), statuses ...int) document {
		return document{name, summary, map[string]func(*bufio.Writer){file: write}, statuses}
	}
	return []document{
		one("gigabyte-json", "A JSON file of 1 GB.", "m.json", repeated(emptyManifest+`,"x":"`, "x", `"}`, 1<<30), 2, 6),
		one("gigabyte-yaml", "A YAML file of 1 GB.", "m.acp.yaml",
			repeated("metadata:\n", "  # comment\n", "", 90_000_000), 1, 2, 6),
		one("gigabyte-line", "A log whose one line has 1 GB.", "m.jsonl",
			repeated(`{"event_id":"`, "x", "\"}\n", 1<<30), 1, 2, 6),
		one("yaml-bomb", "A YAML file of aliases that expand to 10^9 values.", "m.acp.yaml", writeAliasBomb, 1, 2, 6),
		one("dense-json", "A JSON file of 8 MB of empty objects.", "m.json",
			repeated(emptyManifest+`,"x":[{}`, ",{}", "]}", 2_700_000), 1, 2, 6),
		one("dense-yaml", "A YAML file of 4,000,000 short items.", "m.acp.yaml",
			repeated("metadata:\n", "- \n", "", 2_600_000), 1, 2, 6),
		one("600000-members", "A manifest of 600,000 members.", "m.json", func(w *bufio.Writer) {
			fmt.Fprint(w, emptyManifest)
			for i := range 600_000 {
				fmt.Fprintf(w, `,"m%d":%d`, i, i%10)
			}
			fmt.Fprint(w, "}")
		}, 0, 1, 2, 6),
		one("100000-levels", "A JSON file of 100,000 levels.", "m.json",
			repeated(emptyManifest+`,"x":`, "[", strings.Repeat("]", 100_000)+"}", 100_000), 1, 2, 6),
		one("100000-levels-yaml", "A YAML file of 100,000 levels.", "m.acp.yaml", repeated("a: ", "[", "", 100_000), 1, 2, 6),
		one("many-lines", "A log of 50,000 events.", "m.jsonl", repeated("", event+"\n", "", 50_000), 0, 1, 6),
		{"many-files", "A folder of 20 manifests of 4 MB each.", manyFiles(), []int{0, 1, 2, 6}},
	}
}

func manyFiles() map[string]func(*bufio.Writer) {
	files := map[string]func(*bufio.Writer){}
	for i := range 20 {
		files[fmt.Sprintf("folder/m%d.json", i)] = repeated(emptyManifest+`,"x":[{}`, ",{}", "]}", 1_300_000)
	}
	return files
}

// writeAliasBomb writes aliases of aliases.
func writeAliasBomb(w *bufio.Writer) {
	fmt.Fprint(w, "metadata: {id: 'did:nuwa:cap:tea@1.0.0'}\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(w, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
}

func reportDocuments() []document {
	one := func(name, summary string, write func(*bufio.Writer)) document {
		return document{name, summary, map[string]func(*bufio.Writer){"r.json": write}, []int{1, 2, 6}}
	}
	return []document{
		one("gigabyte", "A report of 1 GB.", repeated(emptyReport+`,"x":"`, "x", `"}`, 1<<30)),
		one("dense", "A report of 60 MB of empty objects.", repeated(emptyReport+`,"suites":[{}`, ",{}", "]}", 20_000_000)),
		one("100000-levels", "A report of 100,000 levels.",
			repeated(emptyReport+`,"x":`, "[", strings.Repeat("]", 100_000)+"}", 100_000)),
	}
}

// recordHead is the first line of a record.
const recordHead = `{"schema_version":"1.0","kind":"ConformanceRecord"}` + "\n"

func recordDocuments() []document {
	one := func(name, summary string, write func(*bufio.Writer)) document {
		return document{name, summary, map[string]func(*bufio.Writer){"r.jsonl.gz": compressed(write)}, []int{2}}
	}
	const entry = `{"begun":1,"done":2,"party":"target","stimulus":"s","operation":"o","outcome":"returned"`
	return []document{
		one("blanks", "A compressed record with a line of 2 GB of blanks.",
			repeated(recordHead, strings.Repeat(" ", 1<<20), "\n", 2000)),
		one("long-line", "A compressed record with an entry of 2 GB.",
			repeated(recordHead+entry+`,"x":"`, strings.Repeat("x", 1<<20), "\"}\n", 2000)),
		one("dense", "A compressed record with an entry of 45 MB of empty objects.",
			repeated(recordHead+entry+`,"received":{"json":[{}`, strings.Repeat(",{}", 1<<20), "]}}\n", 15)),
		one("deep", "A compressed record with an entry of 30,000,000 levels.",
			repeated(recordHead+entry+`,"received":{"json":`, strings.Repeat("[", 1<<20), "}}\n", 30)),
		one("many-lines", "A compressed record of 1,000,000 entries.", repeated(recordHead, entry+"}\n", "", 1_000_000)),
	}
}

// compressed returns a function that writes what another one writes, compressed.
func compressed(write func(*bufio.Writer)) func(*bufio.Writer) {
	return func(w *bufio.Writer) {
		z := gzip.NewWriter(w)
		inner := bufio.NewWriter(z)
		write(inner)
		_ = inner.Flush()
		_ = z.Close()
	}
}

// repeated returns a function that writes head, then n times body, then tail.
func repeated(head, body, tail string, n int) func(*bufio.Writer) {
	return func(w *bufio.Writer) {
		_, _ = w.WriteString(head)
		for range n {
			_, _ = w.WriteString(body)
		}
		_, _ = w.WriteString(tail)
	}
}

// documentTrials returns the runs that read documents. The documents are written to the folder
// before the first run.
func documentTrials(folder string) []trial {
	var all []trial
	for _, d := range lintDocuments() {
		at := filepath.Join(folder, "lint-"+d.name)
		args := []string{"lint"}
		if len(d.files) == 1 {
			for file := range d.files {
				args = append(args, filepath.Join(at, file))
			}
		} else {
			args = append(args, at)
		}
		all = append(all,
			trial{group: "lint", name: d.name, summary: d.summary, statuses: d.statuses, args: args,
				writeFiles: writeInFolder(at, d.files)})
	}
	for _, d := range reportDocuments() {
		at := filepath.Join(folder, "report-"+d.name)
		file := filepath.Join(at, "r.json")
		for _, use := range [][]string{{"convert", "--format", "html", "--output", filepath.Join(at, "out"), file},
			{"verify", file}, {"merge", file, file}, {"diff", file, file}} {
			all = append(all,
				trial{group: "report", name: use[0] + "-" + d.name, summary: d.summary, statuses: d.statuses,
					args: append([]string{"report"}, use...), writeFiles: writeInFolder(at, d.files)})
		}
	}
	for _, d := range recordDocuments() {
		at := filepath.Join(folder, "record-"+d.name)
		all = append(all, trial{group: "record", name: d.name, summary: d.summary, statuses: d.statuses,
			args: []string{"judge", filepath.Join(at, "r.jsonl.gz")}, writeFiles: writeInFolder(at, d.files)})
	}
	return all
}

// writeInFolder returns a function that writes the files into a folder.
func writeInFolder(folder string, files map[string]func(*bufio.Writer)) func() error {
	return func() error {
		for name, write := range files {
			path := filepath.Join(folder, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				return err
			}
			f, err := os.Create(path)
			if err != nil {
				return err
			}
			w := bufio.NewWriterSize(f, 1<<20)
			write(w)
			if err := w.Flush(); err != nil {
				return err
			}
			if err := f.Close(); err != nil {
				return err
			}
		}
		return nil
	}
}
