package acdmutant

import (
	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// notServing leaves an operation out.
func notServing(operation string) defect {
	return operates(operation, func(rpc.Operation) rpc.Operation { return nil })
}

// missingChecks do not serve what the text demands of an SDK.
func missingChecks() []mutant.Mutant {
	const one = "the query by any filter is one operation"
	return []mutant.Mutant{
		newMutant("no-query-operation", "ACD-SDK1-03", "Serves no query of its registry.", notServing(acdhost.OpQuery)).
			AlsoBreaks("ACD-SDK1-04", one).AlsoBreaks("ACD-SDK1-05", one).AlsoBreaks("ACD-SDK1-06", one),
		newMutant("no-update-operation", "ACD-SDK1-10", "Serves no update of its registry.", notServing(acdhost.OpUpdate)),
		newMutant("no-delete-operation", "ACD-SDK1-11", "Serves no deletion from its registry.",
			notServing(acdhost.OpDelete)),
		newMutant("no-create-operation", "ACD-SDK1-08", "Serves no creation in its registry.", notServing(acdhost.OpCreate)),
		newMutant("no-invoke-operation", "ACD-SDK2-01", "Serves no invocation.", notServing(acdhost.OpInvoke)),
	}
}
