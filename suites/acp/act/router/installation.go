package router

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/transcript"
	"github.com/capconform/capconform/suites/verdict"
)

// installer publishes packages and has the subject install them.
type installer struct{ *Caller }

// installValid publishes and installs a package. It returns an error if the subject refuses the package,
// so that the stimulus is not performed.
func (c installer) installValid(ctx context.Context, l *suites.Laboratory, s *sample.Package) error {
	answer, err := c.publishAndInstall(ctx, l, s)
	if err == nil && answer.Outcome != driver.Returned {
		return verdict.Undecided("a valid package is not installed: %s", transcript.Received(answer, nil))
	}
	return err
}

// publishAndInstall publishes a package and asks the subject to install it.
func (c installer) publishAndInstall(ctx context.Context, l *suites.Laboratory,
	s *sample.Package) (driver.Answer, error) {
	if err := c.Publish(ctx, callFunc(l), s); err != nil {
		return driver.Answer{}, err
	}
	return c.install(ctx, l, s)
}

func (c installer) install(ctx context.Context, l *suites.Laboratory, s *sample.Package) (driver.Answer, error) {
	answer, err := callFunc(l)(ctx,
		driver.Operation{Name: history.OpInstall, Params: jsonvalue.Encode(history.Object{"cid": s.CID})})
	if err == nil && answer.Outcome == driver.Returned {
		c.AddInstalled(s.ID)
	}
	return answer, err
}

// upgrade installs a newer version. A router may require that the old version is uninstalled first.
func (c installer) upgrade(ctx context.Context, l *suites.Laboratory, older, newer *sample.Package) error {
	answer, err := c.publishAndInstall(ctx, l, newer)
	if err == nil && answer.Outcome != driver.Returned {
		uninstall := driver.Operation{Name: history.OpUninstall, Params: jsonvalue.Encode(object{"cap_uri": older.ID})}
		if _, err := callFunc(l)(ctx, uninstall); err != nil {
			return err
		}
		answer, err = c.install(ctx, l, newer)
	}
	if err == nil && answer.Outcome != driver.Returned {
		return verdict.Undecided("a newer version is not installed: %s", transcript.Received(answer, nil))
	}
	return err
}

// uninstall uninstalls a package. A refusal is not an error: the judgements look at what the package
// does afterwards.
func (c installer) uninstall(ctx context.Context, l *suites.Laboratory, s *sample.Package) error {
	answer, err := callFunc(l)(ctx,
		driver.Operation{Name: history.OpUninstall, Params: jsonvalue.Encode(object{"cap_uri": s.ID})})
	if err == nil && answer.Outcome == driver.NotProvided {
		return verdict.Undecided("the subject does not serve acp.uninstall: see ACP-ABS-02")
	}
	return err
}

// callFunc returns a function that makes calls as part of a stimulus.
func callFunc(l *suites.Laboratory) func(context.Context, driver.Operation) (driver.Answer, error) {
	return func(ctx context.Context, op driver.Operation) (driver.Answer, error) {
		_, answer, err := l.Do(ctx, suites.Call{Operation: op})
		return answer, err
	}
}
