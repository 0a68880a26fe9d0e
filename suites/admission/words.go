package admission

import "strings"

// Words are the published lists with which the policy safe reads a capability without annotations.
// They contain base forms, which the reader inflects. `capconform list words` prints them.
type Words struct {
	Reading   []string            // verbs that look at something
	Computing []string            // verbs that compute a result from the input alone
	Guarded   map[string][]string // verbs that compute only if one of these words follows
	Changing  []string            // words of capabilities that change something
	Ambiguous []string            // words that change something if they are verbs, but are often nouns or adjectives
	Outward   []string            // words for things outside the host
	Harmless  []string            // phrases in which a word of Changing changes nothing
	Programs  []string            // members of an input that take a program

	ProgramWords  []string // words in the name of a member that takes a program
	Languages     []string // words in the description of a member that takes a program
	Choosing      []string // members of an input that choose what is done
	ChoosingWords []string // words in the name of a member that chooses what is done
	Switching     []string // words in the name of a flag of an input that makes a capability change something
	Filtering     []string // first words of flags that choose what is returned
	Calling       []string // words in the name of a member that takes an address that is called
}

// Published returns the lists.
func Published() Words {
	return Words{
		Reading: strings.Fields(`check count describe display examine exists explain fetch find get has health help info
			inspect is list look lookup peek ping preview read retrieve search show status version view
			whoami`),
		Computing: strings.Fields(`analyse analyze average calculate capitalise capitalize classify compare compute concat
			concatenate convert count decode detect diff divide echo encode estimate forecast hash
			identify infer interpolate lint lowercase match measure median multiply normalise normalize
			parse predict rank recommend round score simulate solve sort subtract suggest sum summarise
			summarize tokenise tokenize translate uppercase validate verify`),
		Guarded: map[string][]string{
			"add":    strings.Fields("numbers integers floats decimals fractions vectors matrices"),
			"filter": strings.Fields("text words list array numbers rows items results"),
			"format": strings.Fields("text json xml yaml html csv markdown code currency date time number numbers " +
				"string name address"),
			"join":    strings.Fields("text strings words lines"),
			"reverse": strings.Fields("text string words list array"),
			"split":   strings.Fields("text string words lines sentences"),
		},
		Changing:  strings.Fields(changing),
		Ambiguous: strings.Fields(ambiguous),
		Outward:   strings.Fields("browser http https internet online remotely url web webhook webpage website"),
		Harmless:  phrases(harmless),
		Choosing:  strings.Fields("action do method mode op operation step subcommand task verb"),
		Switching: strings.Fields(switching),

		ChoosingWords: strings.Fields("action command op operation verb"),
		Filtering:     strings.Fields("exclude has include includes is order return show sort"),
		ProgramWords:  strings.Fields("bash cmd command commands javascript script shell sql"),
		Languages:     strings.Fields("bash javascript sql"),
		Calling:       strings.Fields("callback webhook"),
		Programs: strings.Fields("bash cmd code command commands expression javascript program python script shell " +
			"sql statement"),
	}
}

const changing = `
	abort accrue acknowledge activate add adjust administer alter annihilate annotate announce annul append apply
	approve assign attach authorise authorize ban bankrupt bind blacklist blocklist bootstrap broadcast burn buy
	bypass cancel capture censor change checkin checkout cherrypick chmod chown cleanup click compose configure
	confirm consume create deactivate deallocate deauthorise deauthorize decline decommission decrement deduct
	dedupe defragment delegate delete deliver demolish demote deny deplete deploy deprecate deprovision dequeue
	deregister destroy destructive detach detonate disable disarm disburse discard disconnect dislike dismantle
	dismiss dispatch dispense dispose donate downgrade download downvote drain drop edit eject elevate eliminate
	embargo emit enable encrypt enforce enqueue enrol enroll eradicate erase escalate eval evaluate evict exec
	execute expel expire expunge exterminate extinguish finalise finalize flash flush follow forbid forfeit forget
	freeze fulfil fulfill grant halt hibernate hire ignite impersonate imprison incinerate increment initialise
	initialize inject insert install instantiate insure invalidate invest invite invoke jailbreak jettison kick
	kill launch lend liquidate login logout manage merge migrate mint modify mutate mute navigate nominate notify
	nuke nullify obliterate offboard offload onboard overdraw override overwrite persist poke popup prescribe
	prioritise prioritize procure promote propagate provision prune punish purge quarantine raze reactivate
	reassign rebase reboot rebuild recharge reclaim reconcile reconfigure recreate recycle redeem redeploy
	redirect refill refresh regenerate register reimburse reindex reinitialise reinitialize reinstall reject
	relabel relay relocate remit remove rename renew reopen repair replace replicate reply reprice reprovision
	requeue reschedule rescind reserve reset resize respawn restart restore restrict resubmit resume retire
	retract retry retweet revert revoke rewrite rid roll rollback rollout sabotage save scrape scrub seize sell
	send settle setup shell shred shrink shut shutdown signin signout signup slash snooze spawn spend spray sql
	steal stop submit subscribe suspend swipe synchronise synchronize takedown teardown terminate throttle toggle
	transact transmit trigger truncate turn tweak unarchive unassign unban unbind unblock uncordon undelete
	undeploy undo unfollow unfreeze uninstall unlink unlist unload unlock unmount unmute unpause unpin unplug
	unpublish unregister unset unshare unstar unsubscribe untag update upgrade upload upsert upvote vandalise
	vandalize vaporise vaporize veto wake wipe withdraw withhold wreck write yank zap`

const switching = `
	apply cancel clean cleanup commit confirm create deactivate delete deploy destroy drop dry edit erase execute
	force insert install kill merge modify move notify overwrite persist prune publish purge push remove rename
	replace reset restart revoke save send shutdown simulate store submit terminate truncate uninstall update
	upgrade upload upsert wipe write`

const ambiguous = `
	amend archive arm bid block book boot branch buffer call charge clean clear clone close comment commit
	complete connect copy cordon correct credit cut debit deposit dial discount dissolve draft dump duplicate
	email empty end enter escrow export fax fine fire fix flag force fork format forward free heat hide hold
	import increase ingest invoice issue join label lease leave lift like lock log lower mail make map mark
	message mount move open order page park partition patch pause pay pin place play pop populate post press print
	process publish pull purchase push put raise rate reap rebate recall record reduce refund release rent report
	request resolve rotate rsvp run sanction scale schedule seal secure set sever share ship sign silence skip
	snapshot stage stake star start stash store stream strike swap sweep switch sync tag tap tip top touch trade
	train transfer transition trash trip tweet unstage vent vote warn wire zero`

const harmless = `
	a set of|sets of|character set|data set|result set|no changes|does not change anything|free of side effects|
	no side effects|without side effects|no side effect|nothing is changed|nothing changes|last modified|
	last updated|last changed|last write|recently modified|recently updated|recently changed|recently created|
	modified time|modified date|modified at|created at|created by|created on|created after|created before|
	created since|updated at|updated on|updated after|updated before|updated since|modified since|modified after|
	modified before|start date|start time|starts with|starting with|end date|end time|ends with|ending with|
	call this tool|call this|use this|use it|use when|follows the|as follows|following|given|read/write status|like|
	make sure|makes sure|use of`

func phrases(list string) []string {
	all := strings.Split(strings.Join(strings.Fields(list), " "), "|")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}
