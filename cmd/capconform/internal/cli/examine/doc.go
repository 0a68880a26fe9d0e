// Package examine contains the commands that examine a subject: run, lint, judge, replay and init.
package examine
