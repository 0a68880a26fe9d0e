package population_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/population"
)

func TestMutantsHaveUniqueNamesAndDescriptions(t *testing.T) {
	named, ids := map[string]bool{}, map[string]*regexp.Regexp{
		"cap": regexp.MustCompile(`^CAP-[A-Z]+-[0-9]{2}$`), "chp": regexp.MustCompile(`^CHP-[0-9]+-[0-9]{2}$`),
		"acp": regexp.MustCompile(`^ACP-[A-Z]+-[0-9]{2}$`), "acd": regexp.MustCompile(`^ACD-[A-Z0-9]+-[0-9]{2}$`),
	}
	for _, m := range population.Mutants() {
		if named[m.Name] {
			t.Errorf("%s is listed twice", m.Name)
		}
		named[m.Name] = true
		id := ids[m.Suite]
		require.NotNil(t, id, m.Suite)
		if !id.MatchString(m.Requirement) || !strings.HasSuffix(m.Summary, ".") ||
			!strings.HasPrefix(m.Name, m.Suite+"-") {
			t.Errorf("%s is incompletely described: %+v", m.Name, m)
		}
		for _, also := range m.Also {
			if !id.MatchString(also.ID) || also.Reason == "" || also.ID == m.Requirement {
				t.Errorf("%s: also %+v", m.Name, also)
			}
		}
		if found, ok := population.FindMutant(m.Name); !ok || found.Name != m.Name {
			t.Errorf("FindMutant does not find %s", m.Name)
		}
	}
	if _, ok := population.FindMutant("cap-no-such"); ok {
		t.Error("FindMutant found an unknown name")
	}
}

func TestVariantsHaveUniqueNamesAndDescriptions(t *testing.T) {
	named, ids := map[string]bool{}, map[string]*regexp.Regexp{
		"cap": regexp.MustCompile(`^CAP-[A-Z]+-[0-9]{2}$`), "chp": regexp.MustCompile(`^CHP-[0-9]+-[0-9]{2}$`),
		"acp": regexp.MustCompile(`^ACP-[A-Z]+-[0-9]{2}$`), "acd": regexp.MustCompile(`^ACD-[A-Z0-9]+-[0-9]{2}$`),
	}
	for _, v := range population.Variants() {
		id := ids[v.Suite]
		require.NotNil(t, id, v.Suite)
		if named[v.Name] || len(v.Allows) == 0 || !strings.HasSuffix(v.Summary, ".") ||
			!strings.HasPrefix(v.Name, v.Suite+"-") {
			t.Errorf("%s is listed twice or incompletely described: %+v", v.Name, v)
		}
		named[v.Name] = true
		for _, allowed := range v.Allows {
			if !id.MatchString(allowed) {
				t.Errorf("%s allows %q", v.Name, allowed)
			}
		}
		if found, ok := population.FindVariant(v.Name); !ok || found.Name != v.Name {
			t.Errorf("FindVariant does not find %s", v.Name)
		}
	}
	if _, ok := population.FindVariant("cap-no-such"); ok {
		t.Error("FindVariant found an unknown name")
	}
}

// The permissions of the text must each be used by a variant.
func TestEveryPermissionHasVariant(t *testing.T) {
	used := map[string]bool{}
	for _, v := range population.Variants() {
		for _, allowed := range v.Allows {
			used[allowed] = true
		}
	}
	for _, permission := range strings.Fields("CAP-GRAN-02 CAP-MAN-05 CAP-DIS-05 CAP-INV-06 CAP-MAY-01 CAP-MAY-02 CAP-MAY-03 CAP-MAY-04 CAP-MAY-05") {
		if !used[permission] {
			t.Errorf("no variant uses %s", permission)
		}
	}
}
