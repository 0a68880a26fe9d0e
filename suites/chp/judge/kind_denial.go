package judge

import (
	"fmt"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// denialRecord is the denial record of a result, or of an event of a type.
type denialRecord struct {
	of    attempt
	event *history.Event // nil: of the result
}

func (d denialRecord) members() history.Object {
	from := d.of.Result
	if d.event != nil {
		from = d.event.Members()
	}
	record, _ := from["denial"].(history.Object)
	return record
}

func (d denialRecord) place() string {
	if d.event == nil {
		return "result"
	}
	return d.event.Kind
}

func denialRecords() *rule.Kind {
	return rule.NewKind("denial", (*evidence).denialRecords, func(d denialRecord) []record.Tick { return d.of.entries() },
		rule.One("attempt", "attempt", func(d denialRecord) (attempt, bool) { return d.of, true }),
		rule.Value("record", func(d denialRecord) any { return d.members() }),
		rule.Value("code", func(d denialRecord) any { return d.members()["code"] }),
		rule.Text("cause", denialRecord.cause),
		rule.Flag("repeats_cause", func(d denialRecord) bool {
			return !d.of.HasUncommonID() && d.of.Stimulus != history.CodeAgain
		}),
	)
}

// denialRecords returns the denial records of denied results, and those of their events.
func (j *evidence) denialRecords() []denialRecord {
	var all []denialRecord
	for _, a := range j.allAttempts() {
		if a.Outcome() != history.Denied {
			continue
		}
		records := []denialRecord{{of: a}}
		for _, ev := range j.Evidence(a.Attempt).Events {
			records = append(records, denialRecord{a, ev})
		}
		for _, d := range records {
			if d.members() != nil {
				all = append(all, d)
			}
		}
	}
	return all
}

// cause identifies what was denied. The result and the event of one denial may have different codes.
func (d denialRecord) cause() string {
	a := d.of
	return fmt.Sprint(d.place(), " ", a.Kind, " ", a.Capability, " ", a.Mode, " ", string(jsonvalue.Encode(a.Payload)))
}

func denialFunctions() []rule.Function {
	return []rule.Function{rule.FunctionOfTwo("alternates", alternates)}
}

// stableCodes is the number of answers with the same code that proves that a code is stable: a host may deny some of
// the calls for another reason.
const stableCodes = 4

// alternates reports whether the second of two denials with different codes has another reason than the first:
// the code settles when it is requested again, or the capability is added and removed repeatedly, and each of two
// reasons always has the same code.
func alternates(first, again denialRecord) any {
	j := again.of.in
	counts := map[string]int{printed(first.members()["code"]): 1}
	counts[printed(again.members()["code"])]++
	asked := false
	for _, a := range j.Of(history.CodeAgain) {
		if !a.Confirms(again.of.Entry) {
			continue
		}
		asked = true
		record := a.Denial()
		for _, ev := range j.Evidence(a).Events {
			if ev.Kind == again.place() {
				record, _ = ev.Members()["denial"].(history.Object)
			}
		}
		counts[printed(record["code"])]++
	}
	if !asked {
		return &rule.Gap{Reason: undecided("it is not known whether the code settles"),
			Settle: verdict.Settle{Stimulus: history.CodeAgain, Of: again.of.Entry}}
	}
	most, recurring := 0, true
	for _, n := range counts {
		most, recurring = max(most, n), recurring && n > 1
	}
	return most >= stableCodes || j.descriptor(again.of.Attempt) != nil && recurring && len(counts) == 2
}
