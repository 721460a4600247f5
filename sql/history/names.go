package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// Records of the world that change are small maps of MessagePack, written one at a time and seldom. More than a quarter of
// a record are the names of its fields, which occur only once in it, so that no compressor can shorten them, and much of
// the rest is ids that its key has, too. Words do not fit here: they are deleted with their generation, so records that
// nobody changed would have to be rewritten. Therefore the numbers of names are fixed for ever.

// knownNames are fields of records and values of enumerations, the most frequent ones first: a reference to the first
// 125 takes two bytes. Stored records refer to them by position, so new names go to the end, and none may be moved or
// removed.
var knownNames = strings.Fields(`
	cycle id author head created_at kind title rewarded body version contributors updated_at tags references supersedes accuracy completeness freshness citations verified_by proof_hash
	msg_id place published_at versions pending valued answers fulfilled tick amount FAQ name status repo agent lamport tag payer credit reviewer verdict comments deadline creator owner
	APPROVE reviewers payee settled review_id overall message_id counts approved blamed role claim POSTMORTEM bounty tax beneficiary conditions description claimer access PUBLIC
	linked_repo auto_close created_cycle last_activity_cycle archived crystallized phase phase_cycle BOUNTY specification reward escrow difficulty requirements asker claimed_at tries
	submission submitted_at rejected_at silent cause base_snap head_snap urgency NORMAL closed subscriber_id systems kinds origins balance locked total_earned total_spent
	bankruptcy_cycles earmarked paid_agents ticks events public_key spawn_index spawn_tick spawn_epoch reputation parent_id house genome traits risk_tolerance collaboration
	depth_vs_breadth quality_vs_speed knowledge_seeds last_active_cycle inactive_cycles dormant_since newcomer_cycle merit review_score review_weight bugs quarters votes ballots extra
	cursor deliveries seen dropped bounty_id ACTIVE ORACLE EXPIRED REFUNDED GLOSSARY allow block voted category MODERATE RELEASED COMPLETED until bytes params PATTERN LIBRARIAN CUSTOM
	GENERALIST EASY INDEX EXPLORER ARCHITECT COMPILER_SMITH vote_deadline votes_for votes_against total_voters bond fund parties created REQUEST_CHANGES LOCKED posts text barred_until
	gap_until vain released TRIVIAL SPECIFICATION TUTORIAL judge cycles asleep input ticks_used REJECT DORMANT MUST_COMPILE OPEN tick_budget state type reply MUST_PASS_TESTS API MINT
	REVIEWING MUST_BE_REVIEWED output trace fault code memory_quota environment persistent HALTED memory_used since proposal applied SPAWN_AGENT channel schema HARD CHANGE_PARAM
	sandbox used auto_fund endpoints fee stopped GENERAL due REJECTED PASSED FAILED KILL_AGENT base latest issue buried claims epoch epoch_cycle next_spawn total_ticks commerce spark
	CLAIMED LEGENDARY PROJECT GOVERNANCE REVIEW forge_ticks storage total pool gaps income transfers interventions foundation
`)

// The number that follows refMark in a record, an unsigned varint.
const (
	keyHead   = iota // the first 32 bytes of the record's key, as bytes
	keyNext          // the 32 bytes after these
	noHash           // 32 zero bytes
	firstName        // from here on the names in knownNames
)

var errName = errors.New("it has a name that this program does not know; use the kingdom that wrote the run")

// hashLen is the length of an id.
const hashLen = 32

// hashHead is the header of an id in MessagePack.
const hashHead = "\xc4\x20"

var zeroHash = hashHead + strings.Repeat("\x00", hashLen)

// numberOfName is the number of each name, with its header.
var numberOfName = func() map[string]uint64 {
	m := map[string]uint64{}
	for i, name := range knownNames {
		m[nameElement(name)] = firstName + uint64(i)
	}
	return m
}()

// nameElement is a name as MessagePack has it: all have fewer than 32 bytes.
func nameElement(name string) string { return string([]byte{0xa0 | byte(len(name))}) + name }

// refNumber returns the number that replaces an element in a record with this key; ok is false if there is none.
func refNumber(key, element []byte) (n uint64, ok bool) {
	if len(element) != len(hashHead)+hashLen || string(element[:len(hashHead)]) != hashHead {
		n, ok = numberOfName[string(element)]
		return n, ok
	}
	id := string(element[len(hashHead):])
	switch {
	case len(key) >= hashLen && id == string(key[:hashLen]):
		return keyHead, true
	case len(key) >= 2*hashLen && id == string(key[hashLen:2*hashLen]):
		return keyNext, true
	}
	return noHash, string(element) == zeroHash
}

// refElement is the reverse of refNumber.
func refElement(key []byte, n uint64) (string, error) {
	from := 0
	switch n {
	case noHash:
		return zeroHash, nil
	case keyNext:
		from = hashLen
		fallthrough
	case keyHead:
		if len(key) < from+hashLen {
			return "", errTruncated
		}
		return hashHead + string(key[from:from+hashLen]), nil
	}
	if n -= firstName; n >= uint64(len(knownNames)) {
		return "", errName
	}
	return nameElement(knownNames[n]), nil
}

// AppendRecord appends the packed form of a record of the world that has a key: the byte 5 and the record, in which the byte
// 0xc1 and a number, an unsigned varint, stand in the place of names and of ids that the key has. A record that would not get
// shorter is appended as it is. It has no checksum, for the hash of the world is one.
func AppendRecord(dst, key, raw []byte) []byte {
	if len(raw) == 0 {
		return dst
	}
	begin := len(dst)
	dst = append(dst, namedValue)
	copied, at := 0, 0
	for left := 1; left > 0; left-- {
		e, ok := elementAt(raw[at:])
		if !ok {
			return appendUnnamed(dst[:begin], raw)
		}
		if e.isText {
			if n, ok := refNumber(key, raw[at:at+e.size]); ok {
				dst = append(dst, raw[copied:at]...)
				dst = binary.AppendUvarint(append(dst, refMark), n)
				copied = at + e.size
			}
		}
		at += e.size
		left += e.children
	}
	dst = append(dst, raw[copied:]...)
	if at != len(raw) || len(dst)-begin >= len(raw) {
		return appendUnnamed(dst[:begin], raw)
	}
	return dst
}

// appendUnnamed appends a record that names do not shorten, or that is not MessagePack.
func appendUnnamed(dst, raw []byte) []byte {
	if raw[0] >= recordFormats {
		return append(dst, raw...)
	}
	return appendBlock(append(dst, packedValue, 0, 0, 0, 0), len(dst), raw)
}

// recordFormats is the first byte from which on a record is not packed.
const recordFormats = 16

// UnpackRecord is the reverse of AppendRecord. A record that was never packed is returned as it is.
func UnpackRecord(b, key []byte) ([]byte, error) {
	switch {
	case len(b) == 0 || b[0] >= recordFormats:
		return b, nil
	case b[0] == packedValue:
		return UnpackValue(b, nil)
	case b[0] != namedValue:
		return nil, fmt.Errorf("its format is %d, this program reads %d and %d; use the kingdom that wrote the run", b[0], packedValue, namedValue)
	}
	return expandWords(b[1:], func(n uint64) ([]byte, error) {
		s, err := refElement(key, n)
		return []byte(s), err
	})
}
