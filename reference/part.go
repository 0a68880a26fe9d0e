package reference

import (
	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/chphost"
)

// OfCAP returns a change of the capability source, for Options.Alter. It does nothing on a host
// without CAP, and likewise the functions below.
func OfCAP(change func(*caphost.Host)) func(*Parts) {
	return changePart(func(p *Parts) *caphost.Host { return p.CAP }, change)
}

// OfCHP returns a change of the capability host.
func OfCHP(change func(*chphost.Host)) func(*Parts) {
	return changePart(func(p *Parts) *chphost.Host { return p.CHP }, change)
}

// OfACP returns a change of the router, runtime, publisher, registry and index.
func OfACP(change func(*acphost.Host)) func(*Parts) {
	return changePart(func(p *Parts) *acphost.Host { return p.ACP }, change)
}

// OfACD returns a change of the agent.
func OfACD(change func(*acdhost.Host)) func(*Parts) {
	return changePart(func(p *Parts) *acdhost.Host { return p.ACD }, change)
}

func changePart[H any](part func(*Parts) *H, change func(*H)) func(*Parts) {
	return func(parts *Parts) {
		if host := part(parts); host != nil {
			change(host)
		}
	}
}
