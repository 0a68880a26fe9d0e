package capsuite

import (
	"net/url"
	"strings"

	"github.com/capconform/capconform/suites/driver"
)

// ownAddress returns the parts of the target's address that have no other meaning: an authority
// with a port, an endpoint with a path, a command.
func ownAddress(target driver.Target) []string {
	u, err := url.Parse(target.Address)
	if err == nil && u.Host != "" {
		var own []string
		if u.Port() != "" {
			own = append(own, u.Host)
		}
		if len(u.Path) > 1 {
			own = append(own, u.Host+u.Path)
		}
		return own
	}
	if target.Driver == "inproc" || !strings.ContainsAny(target.Address, "/ ") {
		return nil
	}
	return []string{target.Address}
}
