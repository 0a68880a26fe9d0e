package fake

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Skill is one skill of the folder, in the form of Agent Skills: a folder with a SKILL.md of front
// matter and instructions, and further files.
type Skill struct {
	Name         string
	Description  string
	Instructions []string   // lines of the body, including the first and the last
	Resources    []Resource // in addition to SKILL.md
	Permissions  []string   // allowed-tools
}

// Resource is a bundled file. Its name and its text contain fresh words.
type Resource struct{ Path, Text string }

// SkillFolder is a temporary folder of skills. No file in it can be executed.
type SkillFolder struct {
	Path   string
	Skills []Skill
}

// NewSkillFolder writes a folder with two skills: one with all parts, and one with only
// instructions. The caller must close it.
func NewSkillFolder() (*SkillFolder, error) {
	fresh := freshWord()
	f := &SkillFolder{Skills: []Skill{
		{
			Name:        "capconform-" + fresh + "-outline",
			Description: "Describes how to outline a topic, as " + freshWord() + " does.",
			Instructions: []string{"# Outline " + freshWord(), "Name the topic of " + freshWord() + ".",
				"Close with the word " + freshWord() + "."},
			Resources:   []Resource{{"references/" + freshWord() + ".md", "Outlines have at most " + freshWord() + " levels."}},
			Permissions: []string{"Read", "Grep"},
		},
		{
			Name:         "capconform-" + fresh + "-summary",
			Description:  "Describes how to sum up a text, as " + freshWord() + " does.",
			Instructions: []string{"Say what matters about " + freshWord() + "."},
		},
	}}
	var err error
	if f.Path, err = os.MkdirTemp("", "capconform-skills-"); err != nil {
		return nil, fmt.Errorf("fake: %w", err)
	}
	for _, s := range f.Skills {
		if err := s.write(filepath.Join(f.Path, s.Name)); err != nil {
			_ = f.Close() // the first error is reported
			return nil, err
		}
	}
	return f, nil
}

// Close removes the folder.
func (f *SkillFolder) Close() error {
	if err := os.RemoveAll(f.Path); err != nil {
		return fmt.Errorf("fake: %w", err)
	}
	return nil
}

func (s Skill) write(folder string) error {
	head := "---\nname: " + s.Name + "\ndescription: " + s.Description + "\n"
	if len(s.Permissions) > 0 {
		head += "allowed-tools: " + strings.Join(s.Permissions, " ") + "\n"
	}
	files := append([]Resource{{"SKILL.md", head + "---\n\n" + strings.Join(s.Instructions, "\n\n") + "\n"}},
		s.Resources...)
	for _, file := range files {
		path := filepath.Join(folder, filepath.FromSlash(file.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return fmt.Errorf("fake: %w", err)
		}
		if err := os.WriteFile(path, []byte(file.Text), 0o600); err != nil {
			return fmt.Errorf("fake: %w", err)
		}
	}
	return nil
}
