package chpdocument

import "github.com/capconform/capconform/suites/chp/judge"

// closedReading is the closed reading of a form, with its requirement.
type closedReading struct {
	*judge.ClosedReading
	id string
}

func compileClosed() (map[form]closedReading, error) {
	all := map[form]closedReading{}
	for _, c := range closedReadings {
		compiled, err := judge.CompileClosed(c.schema)
		if err != nil {
			return nil, err
		}
		all[c.form] = closedReading{compiled, c.id}
	}
	return all, nil
}
