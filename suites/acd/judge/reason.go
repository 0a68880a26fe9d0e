package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// The reasons for which the engine must refuse a call, in the words of the features if a sentence names them. A call
// with two reasons proves neither.
const (
	Unknown          = "of an unknown id"
	Deleted          = "deleted"
	Disabled         = "of a disabled capability"
	OtherMode        = "in a mode that is not listed"
	Permission       = "by a caller who lacks a required permission"
	PermissionAbsent = "missing permission, granted_by_default left out"
	Revoked          = "missing permission, granted no longer"
	OfShell          = "missing permission of a shell"
	Undeclared       = "mode that the channel does not declare"
	LeftOut          = "that exclude it"
	OnChannel        = "shell on a channel"
)

// shell is the substrate of shells.
const shell = "shell"

// reasons returns the reasons for which a call must be refused, and whether they are known. They are not known if the
// capability may have changed during the call.
func (j refusing) reasons(i *history.Invocation) (all []string, known bool) {
	k := memoized(j.evidence, func(m *conclusions) *cache[*history.Invocation, obstacles] { return &m.obstacles }, i,
		func() obstacles {
			all, known := j.whyRefuse(i)
			return obstacles{all, known}
		})
	return k.reasons, k.known
}

func (j refusing) whyRefuse(i *history.Invocation) (all []string, known bool) {
	if !history.IsCopyID(i.ID) {
		return []string{Unknown}, !j.listed(i.ID)
	}
	s := j.StateAt(i.ID, i.Call)
	switch {
	case s == nil:
		return nil, false
	case s.Given == nil:
		return []string{Deleted}, j.WasApplied(s)
	case !j.isEffective(s):
		return nil, false
	}
	return j.refusalReasons(s, s.Given, i), true
}

// isEffective reports whether a copy can be assumed to be as requested: a reading showed that an update took effect,
// and no reading of a new copy contradicts it.
func (j refusing) isEffective(s *history.State) bool {
	return memoized(j.evidence, func(m *conclusions) *cache[*history.State, bool] { return &m.effective }, s,
		func() bool { return j.isUncontradicted(s) })
}

func (j refusing) isUncontradicted(s *history.State) bool {
	got, listed := j.readings(s)
	for _, r := range append(slices.Clone(got), listed...) {
		if r.Shown != nil && !r.IDOnly && !s.MayChangeMore && !guardedAlike(r.Shown, s) {
			return false
		}
	}
	return s.Created() || s.MayChangeMore || s.By != history.OpUpdate || j.WasApplied(s)
}

// guarding are the members by which calls are routed and refused.
var guarding = []string{"execution.substrate", "invocation.modes", "exposure", "permissions"}

// guardedAlike reports whether a reading shows the guarding members of a copy as they were requested.
func guardedAlike(shown history.Object, s *history.State) bool {
	now, result := history.Filled(shown), history.OfText(s.Given)
	for _, path := range guarding {
		if !history.HoldsAll(history.Member(now, path), history.Member(result, path)) {
			return false
		}
	}
	return history.Enabled(shown) == history.Enabled(s.Given) || s.Created() && history.Enabled(s.Given)
}

// refusalReasons returns the reasons in a descriptor for which a call must be refused.
func (j refusing) refusalReasons(s *history.State, d history.Object, i *history.Invocation) (all []string) {
	if !history.Enabled(d) {
		all = append(all, Disabled)
	}
	if !slices.Contains(history.ModesOf(d), i.Mode) {
		all = append(all, OtherMode)
	}
	if lacks(d, i.Held) {
		all = append(all, lacking(s, d))
	}
	return append(all, j.channelObstacles(d, i)...)
}

// lacks reports whether a caller lacks a permission that a descriptor requires.
func lacks(d history.Object, held []string) bool {
	return history.Guarded(d) &&
		slices.ContainsFunc(history.RequiredBy(d), func(p string) bool { return !slices.Contains(held, p) })
}

// lacking returns the reason for a missing permission.
func lacking(s *history.State, d history.Object) string {
	granted := history.Member(d, "permissions.granted_by_default")
	switch {
	case history.Substrate(d) == shell:
		return OfShell
	case granted == nil && s != nil:
		return PermissionAbsent
	case s != nil && s.Before != nil && s.Before.Given != nil &&
		history.Flag(s.Before.Given, "permissions.granted_by_default", false):
		return Revoked
	default:
		return Permission
	}
}

// channelObstacles returns the reasons for which a call must be refused on its channel.
func (j refusing) channelObstacles(d history.Object, i *history.Invocation) (all []string) {
	if i.Channel == "" {
		return nil
	}
	if modes := j.ModesOf(i.Channel); len(modes) > 0 && !slices.Contains(modes, i.Mode) {
		all = append(all, Undeclared)
	}
	if history.Substrate(d) == shell {
		return append(all, OnChannel)
	}
	only := jsonvalue.Texts(history.Member(d, "exposure.channels"))
	if len(only) > 0 && !slices.Contains(only, i.Channel) || history.Text(d, "exposure.scope") == "internal" {
		all = append(all, LeftOut)
	}
	return all
}

// isOnlyReason reports whether a reason is the only one for which a call must be refused.
func (j refusing) isOnlyReason(i *history.Invocation, reason string) bool {
	all, known := j.reasons(i)
	return known && len(all) == 1 && all[0] == reason
}

// isPermitted reports whether a call of a copy is permitted.
func (j refusing) isPermitted(i *history.Invocation) bool {
	all, known := j.reasons(i)
	return known && len(all) == 0
}
