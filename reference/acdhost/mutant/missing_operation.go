package acdmutant

import (
	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// notServing removes an operation.
func notServing(operation string) defect {
	return changesOperation(operation, func(rpc.Operation) rpc.Operation { return nil })
}

// missingChecks returns agents without an operation that the text requires of an SDK.
func missingChecks() []mutant.Mutant {
	const one = "all filters are parameters of one operation"
	return []mutant.Mutant{
		newMutant("no-query-operation", "ACD-SDK1-03", "Does not serve queries of its registry.",
			notServing(acdhost.OpQuery)).
			AlsoBreaks("ACD-SDK1-04", one).AlsoBreaks("ACD-SDK1-05", one).AlsoBreaks("ACD-SDK1-06", one),
		newMutant("no-update-operation", "ACD-SDK1-10", "Does not serve updates of its registry.",
			notServing(acdhost.OpUpdate)),
		newMutant("no-delete-operation", "ACD-SDK1-11", "Does not serve deletions from its registry.",
			notServing(acdhost.OpDelete)),
		newMutant("no-create-operation", "ACD-SDK1-08", "Does not serve creations in its registry.",
			notServing(acdhost.OpCreate)),
		newMutant("no-invoke-operation", "ACD-SDK2-01", "Does not serve invocations.", notServing(acdhost.OpInvoke)),
	}
}
