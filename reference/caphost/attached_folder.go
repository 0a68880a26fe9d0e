package caphost

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Bounds on a folder of skills.
const (
	skillsAtMost = 100
	filesAtMost  = 100
	skillLength  = 1 << 20
)

// offersOfFolder reads a folder that contains a folder for each skill, with SKILL.md and the
// resources of the skill. It executes no file in it.
func offersOfFolder(folder string) ([]Offer, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("caphost: attached folder: %w", err)
	}
	defer root.Close() // the folder was only read
	places, err := fs.Glob(root.FS(), "*/SKILL.md")
	if err != nil {
		return nil, fmt.Errorf("caphost: attached folder: %w", err)
	}
	var offers []Offer
	for _, place := range places[:min(len(places), skillsAtMost)] {
		o, err := offerOfSkill(root.FS(), place)
		if err != nil {
			return nil, err
		}
		o.Origin = folder
		offers = append(offers, o)
	}
	return offers, nil
}

func offerOfSkill(files fs.FS, place string) (Offer, error) {
	info, err := fs.Stat(files, place)
	if err != nil || info.Size() > skillLength {
		return Offer{}, fmt.Errorf("caphost: attached skill %s cannot be read: %w", place, err)
	}
	raw, err := fs.ReadFile(files, place)
	if err != nil {
		return Offer{}, fmt.Errorf("caphost: attached skill: %w", err)
	}
	head, body, whole := strings.Cut(strings.TrimPrefix(string(raw), "---\n"), "\n---\n")
	var manifest struct {
		Name         string `yaml:"name"`
		Description  string `yaml:"description"`
		AllowedTools string `yaml:"allowed-tools"`
	}
	if err := yaml.Unmarshal([]byte(head), &manifest); !whole || err != nil {
		return Offer{}, fmt.Errorf("caphost: attached skill %s has no front matter: %w", place, err)
	}
	o := Offer{
		Kind: "skill", Name: manifest.Name, Description: manifest.Description, Instructions: strings.TrimSpace(body),
		Input: map[string]any{"type": "object"}, Resources: []any{}, Permissions: []any{},
	}
	o.Output = map[string]any{"type": "object", "properties": map[string]any{"prompt": map[string]any{"type": "string"}},
		"required": []any{"prompt"}}
	for _, permission := range strings.Fields(manifest.AllowedTools) {
		o.Permissions = append(o.Permissions, permission)
	}
	if o.Resources, err = bundled(files, path.Dir(place)); err != nil {
		return Offer{}, err
	}
	o.Run = func(context.Context, *Host, map[string]any) (any, error) {
		return map[string]any{"prompt": o.Instructions}, nil
	}
	return o, nil
}

// bundled lists the files beside SKILL.md.
func bundled(files fs.FS, folder string) ([]any, error) {
	all := []any{}
	err := fs.WalkDir(files, folder, func(place string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && place != folder+"/SKILL.md" && len(all) < filesAtMost {
			all = append(all, map[string]any{"name": strings.TrimPrefix(place, folder+"/")})
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("caphost: attached skill: %w", err)
	}
	return all, nil
}
