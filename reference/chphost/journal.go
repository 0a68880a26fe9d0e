package chphost

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/capconform/capconform/reference/rpc"
)

// Journal is an evidence file: JSON Lines, one event per line, append-only.
// Only one process at a time may have it open.
type Journal struct {
	file    *os.File
	size    int64 // of the complete lines
	entries []entry
}

type entry struct {
	correlation string
	record      Record
}

// OpenJournal opens or creates an evidence file and reads it.
// It removes a last line that a crash left incomplete. It fails, and changes nothing, if
// any other line is not an event. The caller must close the journal.
func OpenJournal(path string) (*Journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("chphost: evidence: %w", err)
	}
	j := &Journal{file: file}
	if err := j.read(); err != nil {
		return nil, errors.Join(fmt.Errorf("chphost: evidence: %s: %w", path, err), file.Close())
	}
	return j, nil
}

// Close closes the file. A store on the journal cannot append afterwards.
func (j *Journal) Close() error {
	if err := j.file.Close(); err != nil {
		return fmt.Errorf("chphost: evidence: %w", err)
	}
	return nil
}

func (j *Journal) read() error {
	reader := bufio.NewReader(j.file)
	for number := 1; ; number++ {
		line, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if err := j.checkIncomplete(line); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			return j.file.Truncate(j.size)
		}
		if err != nil {
			return err
		}
		if err := j.take(line); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		j.size += int64(len(line))
	}
}

// checkIncomplete returns an error unless the host may have been writing the line when it died: the file may
// belong to another program.
func (j *Journal) checkIncomplete(line []byte) error {
	var object map[string]json.RawMessage
	err := json.NewDecoder(bytes.NewReader(line)).Decode(&object)
	if err == nil { // only the line break is missing
		_, err = parseEvent(line)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

func (j *Journal) take(line []byte) error {
	event, err := parseEvent(line)
	if err == nil {
		j.entries = append(j.entries, event)
	}
	return err
}

func parseEvent(line []byte) (entry, error) {
	text := bytes.TrimSpace(line)
	var event struct {
		Sequence    *int64 `json:"sequence"`
		Correlation struct {
			ID string `json:"correlation_id"`
		} `json:"correlation"`
	}
	if err := json.Unmarshal(text, &event); err != nil {
		return entry{}, err
	}
	if event.Sequence == nil || event.Correlation.ID == "" {
		return entry{}, errors.New("no sequence or no correlation id")
	}
	return entry{event.Correlation.ID, Record{*event.Sequence, rpc.Raw(text)}}, nil
}

// append writes a line in one piece. It removes a line that was written in part,
// so that a full disk leaves complete lines.
func (j *Journal) append(text []byte) error {
	line := append(bytes.Clone(text), '\n')
	if _, err := j.file.WriteAt(line, j.size); err != nil {
		return errors.Join(fmt.Errorf("chphost: evidence: %w", err), j.file.Truncate(j.size))
	}
	j.size += int64(len(line))
	return nil
}
