package acpsuite

import (
	"testing"

	"github.com/capconform/capconform/suites/lint/linttest"
)

func TestDocumentsAgree(t *testing.T) {
	linttest.Agreement(t, Definition(), heldKinds, documentRules)
}
