// Package population lists all hosts and documents that are made from the reference to prove
// the suites: mutants, variants and documents of every protocol.
package population

import (
	"slices"
	"sync"

	acdmutant "github.com/capconform/capconform/reference/acdhost/mutant"
	acdvariant "github.com/capconform/capconform/reference/acdhost/variant"
	acpmutant "github.com/capconform/capconform/reference/acphost/mutant"
	acpvariant "github.com/capconform/capconform/reference/acphost/variant"
	capmutant "github.com/capconform/capconform/reference/caphost/mutant"
	capvariant "github.com/capconform/capconform/reference/caphost/variant"
	chpmutant "github.com/capconform/capconform/reference/chphost/mutant"
	chpvariant "github.com/capconform/capconform/reference/chphost/variant"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/variant"
)

// Mutants lists every live mutant, suite by suite, in the order of the requirements' sections.
func Mutants() []mutant.Mutant { return slices.Clone(mutants()) }

// mutants is made once: there are many, and they are looked up by name.
var mutants = sync.OnceValue(func() []mutant.Mutant {
	return slices.Concat(capmutant.All(), chpmutant.All(), acpmutant.All(), acdmutant.All())
})

// FindMutant returns the mutant of that name.
func FindMutant(name string) (mutant.Mutant, bool) {
	at := slices.IndexFunc(mutants(), func(m mutant.Mutant) bool { return m.Name == name })
	if at < 0 {
		return mutant.Mutant{}, false
	}
	return mutants()[at], true
}

// Variants lists every variant, suite by suite.
func Variants() []variant.Variant {
	return slices.Concat(capvariant.All(), chpvariant.All(), acpvariant.All(), acdvariant.All())
}

// FindVariant returns the variant of that name.
func FindVariant(name string) (variant.Variant, bool) {
	all := Variants()
	at := slices.IndexFunc(all, func(v variant.Variant) bool { return v.Name == name })
	if at < 0 {
		return variant.Variant{}, false
	}
	return all[at], true
}

// Documents lists the valid documents and the broken ones, each as JSON and as YAML; packages
// of ACP have one notation. It fails only if a file built into a package can't be read, or if
// an edit finds no place.
func Documents() ([]mutant.Document, error) {
	all, err := documents()
	return slices.Clone(all), err
}

// documents are made once: many are edited, and some are signed.
var documents = sync.OnceValues(func() ([]mutant.Document, error) {
	var all []mutant.Document
	for _, list := range []func() ([]mutant.Document, error){
		capmutant.Documents, chpmutant.Documents, acdmutant.Documents, acpmutant.Documents,
	} {
		more, err := list()
		if err != nil {
			return nil, err // it states which document
		}
		all = append(all, more...)
	}
	return all, nil
})
