package chpsuite

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/text"
)

// Draft is the name of the edition that this package examines by itself: the text of the version 0.1, frozen.
const Draft = "0.1-draft"

// Stable is the name of the edition that has the requirements of the draft, and those in the folder of its name. The
// text has the version of the draft, so that only the user chooses it: a host does not say which of the two it was
// built from.
const Stable = "0.1"

//go:embed 0.1 0.2
var folders embed.FS

// Editions returns the editions that are data (DESIGN section 16), the newest first. Their names are the wire versions.
func Editions() []string { return []string{"0.2"} }

// Load returns an edition, which is one of Editions. A target that does not speak it is not examined.
func Load(edition string) (*text.Text, error) {
	root, err := fs.Sub(folders, edition)
	if err != nil {
		return nil, err
	}
	own, err := text.LoadOwn("chp", root)
	if err != nil {
		return nil, err
	}
	own.Editions = (&suites.Editions{Spoken: spoken, HTTPAlone: true}).Fix()
	return own, nil
}

// StableDefinition returns the definition of the edition Stable.
func StableDefinition() (suites.Definition, error) {
	root, err := fs.Sub(folders, Stable)
	if err != nil {
		return suites.Definition{}, err
	}
	shared := definition(Stable)
	d, err := shared.InFolder(root)
	d.Editions = (&suites.Editions{Spoken: spoken}).Fix()
	return d, err
}

// editions returns what a target decides by GET /host: which wire versions it speaks.
func editions() *suites.Editions {
	e := &suites.Editions{Others: Editions(), Further: []string{Stable}, Spoken: spoken}
	e.Load = func(edition string) (suites.Definition, error) {
		if edition == Stable {
			return StableDefinition()
		}
		own, err := Load(edition)
		if err != nil {
			return suites.Definition{}, err
		}
		return own.Definition(), nil
	}
	for _, edition := range Editions() {
		e.Routes = append(e.Routes, routesOf(edition)...)
	}
	return e
}

// routesOf returns the HTTP binding of an edition.
func routesOf(edition string) []driver.Route {
	root, err := fs.Sub(folders, edition)
	if err == nil {
		var all []driver.Route
		if all, err = text.Routes(root); err == nil {
			return all
		}
	}
	panic(fmt.Sprintf("chpsuite: the folder %s of this program: %v", edition, err))
}

// spoken returns the wire versions that the descriptor of a host names, the preferred one first. A list that is missing
// stands for the preferred version alone.
func spoken(answer json.RawMessage) []string {
	var host struct {
		Preferred string   `json:"protocol_version"`
		All       []string `json:"supported_versions"`
	}
	if json.Unmarshal(answer, &host) != nil || host.Preferred == "" { // its requirement judges that
		return nil
	}
	return append([]string{host.Preferred}, host.All...)
}
