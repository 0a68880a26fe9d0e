package capsuite

import (
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// plainServer tells an MCP server that offers tools and not the operations of CAP.
func plainServer(info driver.Info, subject *suites.Subject) bool {
	return false
}

func (e *examination) adapt(session driver.Session) {}
