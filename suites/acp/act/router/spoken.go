package router

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/sample"
)

// spoken talks to two packages with long prompts and long descriptions of their tools: by long
// messages, and in one conversation that goes from one to the other and back.
func (c *Caller) spoken(ctx context.Context, l *suites.Laboratory) error {
	var both []talk
	for range 2 {
		k, err := c.beside(ctx, l, lengthen)
		if err != nil {
			return err
		}
		both = append(both, k)
		if _, err := k.tell(ctx, nil, sample.Amid(k.with.Word)+" "+sample.AtLength(1500), environment.Script{}); err != nil {
			return err
		}
	}
	for _, n := range []int{0, 1, 0} {
		k := both[n]
		k.id = both[0].id + "-both"
		if _, err := k.say(ctx, nil, environment.Script{}); err != nil {
			return err
		}
	}
	return nil
}

// lengthen gives a package a long prompt and long descriptions of its tools.
func lengthen(s *sample.Package) {
	s.Prompt += "\n# Qx\n" + sample.AtLength(3000)
	for i := range s.Tools {
		s.Tools[i].Description += " " + sample.AtLength(400)
	}
}
