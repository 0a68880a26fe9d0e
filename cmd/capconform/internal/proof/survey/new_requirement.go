package survey

import (
	"fmt"
	"slices"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/judgement"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reference/variant"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
)

// NewRequirement is a requirement that no golden file lists as judged on every lawful subject.
type NewRequirement struct {
	ID string `json:"id"`
	// Subjects is the number of lawful hosts and documents on which it was judged.
	Subjects int `json:"subjects"`
	// Contradictions are the lawful subjects that break it.
	Contradictions []Contradiction `json:"contradictions,omitempty"`
}

// Contradiction is a lawful subject that breaks a new requirement: either the requirement is
// wrong, or the resolution or permission that tolerates the subject.
type Contradiction struct {
	Kind    plan.Kind `json:"kind"`
	Subject string    `json:"subject"`
	// Setting describes how the subject was examined; empty for the usual way.
	Setting string         `json:"setting,omitempty"`
	Status  reports.Status `json:"status"`
	Message string         `json:"message"`
	// Permits are the requirements that permit the subject's style.
	Permits []Permission `json:"permits,omitempty"`
}

// Permission is a requirement whose resolution tolerates a variant, or a permission that it uses.
type Permission struct {
	ID   string `json:"id"`
	Says string `json:"says"` // the resolution, or the summary if there is none
}

// String describes the contradiction in one sentence for each part of it.
func (c Contradiction) String() string {
	text := fmt.Sprintf("is %s on the lawful %s %s%s%s", c.Status, c.Kind, c.Subject, c.Setting,
		judgement.InBrackets(c.Message))
	for _, permission := range c.Permits {
		text += fmt.Sprintf("; %s permits it: %s", permission.ID, permission.Says)
	}
	return text
}

// Add adds the result of one lawful subject.
func (r *NewRequirement) Add(catalogue *spec.Catalogue, t plan.Trial, got trial.Statuses, v variant.Variant) {
	r.Subjects++
	status := got.Status[r.ID]
	if status != reports.Failed && status != reports.Error || slices.Contains(v.Hinted, r.ID) {
		return
	}
	c := Contradiction{Kind: t.Kind, Subject: t.Name, Setting: t.Where(), Status: status, Message: got.Reason[r.ID]}
	for _, id := range v.Allows {
		allowed, _ := catalogue.Lookup(id)
		says := allowed.Resolution
		if says == "" {
			says = allowed.Summary
		}
		c.Permits = append(c.Permits, Permission{ID: id, Says: says})
	}
	r.Contradictions = append(r.Contradictions, c)
}
