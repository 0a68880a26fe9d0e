package prove

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Write writes the result as text.
func (r *Result) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d edits of the answers, %d defects\n\n", r.Suite, r.Edits, len(r.Defects))
	width := 0
	for _, q := range r.Requirements {
		width = max(width, len(q.ID))
	}
	for _, q := range r.Requirements {
		fmt.Fprintf(&b, "  %-*s  %-10s  %s\n", width, q.ID, q.Level, q.Shown())
	}
	for _, l := range r.Lists() {
		list(&b, "\n"+l.Title+":\n", l.Lines)
	}
	fmt.Fprintf(&b, "\n%s\n", r.Sentence())
	_, err := io.WriteString(w, b.String())
	return err
}

// Shown returns in words what broke the requirement.
func (r Requirement) Shown() string {
	switch {
	case r.Excluded != "":
		return "not observable: " + r.Excluded
	case r.Broken == 0 && r.Binding:
		return "nobody has seen it fail"
	case r.Broken == 0:
		return "no edit breaks it"
	}
	shown := fmt.Sprintf("broken %d times", r.Broken)
	if len(r.Examples) > 0 {
		shown += ", such as by " + r.Examples[0]
	}
	return shown
}

// List is a list with a title.
type List struct {
	Title string
	Lines []string
}

// Lists returns what the author of the text must look at, without empty lists.
func (r *Result) Lists() []List {
	var lost, wide []string
	for _, d := range r.Defects {
		where := "on the record"
		if d.Live {
			where = "live"
		}
		if !d.Found {
			lost = append(lost, fmt.Sprintf("%s (%s), which breaks %s: %s", d.Defect, where, d.Breaks, d.Why))
		} else if len(d.Others) > 0 {
			wide = append(wide, fmt.Sprintf("%s (%s) breaks %s, and also %s", d.Defect, where, d.Breaks,
				strings.Join(d.Others, ", ")))
		}
	}
	return slices.DeleteFunc([]List{
		{"Defects that were not found", lost}, {"Defects that break more than one requirement", wide},
		{"No requirement reads", r.Unread}, {"No requirement covers", r.Uncovered},
	}, func(l List) bool { return len(l.Lines) == 0 })
}

func list(b *strings.Builder, title string, all []string) {
	b.WriteString(title)
	for _, one := range all {
		b.WriteString("  " + one + "\n")
	}
}

// Markdown writes the result as Markdown.
func (r *Result) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## Proof of %s\n\n%s. %d edits of the answers, %d defects.\n\n", r.Suite, r.Sentence(), r.Edits,
		len(r.Defects))
	b.WriteString("| requirement | level | broken | such as by |\n|---|---|---|---|\n")
	for _, q := range r.Requirements {
		by := q.Excluded
		if len(q.Examples) > 0 {
			by = "`" + strings.ReplaceAll(q.Examples[0], "`", "'") + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %s |\n", q.ID, q.Level, q.Broken, strings.ReplaceAll(by, "|", "\\|"))
	}
	for _, l := range r.Lists() {
		list(&b, "\n"+l.Title+":\n\n", bullets(l.Lines))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func bullets(all []string) []string {
	var marked []string
	for _, one := range all {
		marked = append(marked, "- `"+strings.ReplaceAll(one, "`", "'")+"`")
	}
	return marked
}
