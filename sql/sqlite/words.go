package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"kingdom/sql/history"
	"kingdom/sql/table"
	"kingdom/wire"
)

// cyclesPerGeneration is for how many cycles words are written: so many that what a generation writes anew is little
// beside what its cycles write, and so few that words which no agent remembers any more are soon gone.
const cyclesPerGeneration = 16

// wordBlocks stands for blocks of words in the archive; a generation takes the place of the cycle.
var wordBlocks = &bulk{name: "words"}

// wordsOf returns the words for the commit of a cycle: those of earlier commits in the same generation. The writer
// has none until the commit succeeds, so that they are read again after a failed one.
func (k *historyWriter) wordsOf(ctx context.Context, tx *sql.Tx, c wire.Cycle) (*history.Words, error) {
	w := k.words
	k.words = nil
	generation := uint64(c) / cyclesPerGeneration
	if w != nil && w.Generation == generation {
		return w, nil
	}
	w = history.NewWords(generation)
	begun := false
	err := query(tx)(ctx, `SELECT body FROM history_words WHERE generation = $1 ORDER BY part`, []any{int64(generation)}, func(rows table.Cursor) error {
		for rows.Next() {
			begun = true
			var block []byte
			if err := rows.Scan(&block); err != nil {
				return err
			}
			if err := w.Load(block); err != nil {
				return pageKey{wire.Cycle(generation), wordBlocks, 0}.wrapError(err)
			}
		}
		return rows.Err()
	})
	if err == nil && !begun {
		err = dropOldWords(ctx, tx, w)
	}
	return w, err
}

// dropOldWords deletes the generations of words that no value needs any more, when the first cycle of one is written. Values
// that need words of a generation before the last are written anew: of agents that sleep, and of those of whose memory little
// changes. Else these few would keep what all others have outlived.
func dropOldWords(ctx context.Context, tx *sql.Tx, w *history.Words) error {
	needed := map[uint64]bool{}
	for _, p := range packedTables {
		old, err := p.scanGenerations(ctx, tx, w.Generation, needed)
		if err != nil {
			return err
		}
		if err := p.repack(ctx, tx, w, old); err != nil {
			return err
		}
	}
	keep := make([]any, 0, len(needed))
	for g := range needed {
		keep = append(keep, int64(g))
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM history_words WHERE generation NOT IN (`+strings.Join(slices.Repeat([]string{"?"}, len(keep)), ", ")+`)`, keep...)
	return err
}

// scanGenerations notes of which generations before one the values of a table need words, and returns the keys of the rows
// that need those of one before the last.
func (p *packed) scanGenerations(ctx context.Context, tx *sql.Tx, now uint64, needed map[uint64]bool) (old [][]any, err error) {
	keys := p.table.Columns[:p.table.Key]
	var names []string
	for _, c := range keys {
		names = append(names, c.Name)
	}
	for _, c := range p.columns {
		names = append(names, `substr(`+p.table.Columns[c].Name+`, 1, 16)`)
	}
	row, dest := make([]any, len(names)), make([]any, len(names))
	for i := range row {
		dest[i] = &row[i]
	}
	err = query(tx)(ctx, `SELECT `+strings.Join(names, ", ")+` FROM `+p.table.Schema+`.`+p.table.Name+p.where(), nil, func(rows table.Cursor) error {
		for rows.Next() {
			if err := rows.Scan(dest...); err != nil {
				return err
			}
			outdated := false
			for _, head := range row[len(keys):] {
				b, _ := head.([]byte) // NULL needs none
				switch g, needs := history.GenerationOf(b); {
				case needs && g+1 < now:
					outdated = true
				case needs:
					needed[g] = true
				}
			}
			if outdated {
				old = append(old, slices.Clone(row[:len(keys)]))
			}
		}
		return rows.Err()
	})
	return old, err
}

// repack packs rows with the words of a generation that begins.
func (p *packed) repack(ctx context.Context, tx *sql.Tx, w *history.Words, old [][]any) error {
	if len(old) == 0 {
		return nil
	}
	var set, get, where []string
	for _, c := range p.columns {
		get = append(get, p.table.Columns[c].Name)
		set = append(set, p.table.Columns[c].Name+" = ?")
	}
	for _, c := range p.table.Columns[:p.table.Key] {
		where = append(where, c.Name+" = ?")
	}
	name, found := p.table.Schema+"_"+p.table.Name, " WHERE "+strings.Join(where, " AND ")
	words, row, dest := packedReader{&archive{}, tx}, make([]any, len(get)), make([]any, len(get))
	for i := range row {
		dest[i] = &row[i]
	}
	for _, key := range old {
		if err := tx.QueryRowContext(ctx, "SELECT "+strings.Join(get, ", ")+" FROM "+name+found, key...).Scan(dest...); err != nil {
			return err
		}
		for i := range row {
			b, _ := row[i].([]byte)
			plain, err := words.Plain(ctx, b)
			if err != nil {
				return fmt.Errorf("pack %s of %x anew: %w", name, key[0], err)
			}
			row[i] = p.append(w, []byte{}, plain)
		}
		if _, err := tx.ExecContext(ctx, "UPDATE "+name+" SET "+strings.Join(set, ", ")+found, append(slices.Clone(row), key...)...); err != nil {
			return err
		}
	}
	return nil
}

// packingWords is the words of a commit; nil where nothing is packed.
func (k *historyCommit) packingWords() *history.Words {
	if k == nil {
		return nil
	}
	return k.pending.words
}

// packedReader reads what a store with a history keeps packed.
type packedReader struct {
	*archive
	db database
}

// Plain implements table.Past.
func (p packedReader) Plain(ctx context.Context, b []byte) ([]byte, error) {
	var last pageKey // most words of a value are in few blocks
	var block page
	return history.UnpackValue(b, func(generation, n uint64) (word []byte, err error) {
		l := pageKey{wire.Cycle(generation), wordBlocks, int64(n / history.WordsPerBlock)}
		if l != last {
			if block, err = p.block(ctx, l); err != nil {
				return nil, err
			}
			last = l
		}
		if word, err = block.words.Word(int(n % history.WordsPerBlock)); err != nil {
			err = l.wrapError(err)
		}
		return word, err
	})
}

// block is a block of words.
func (p packedReader) block(ctx context.Context, l pageKey) (page, error) {
	return p.open(l, func() (block page, err error) {
		var body []byte
		err = p.db.QueryRowContext(ctx, `SELECT body FROM history_words WHERE generation = ? AND part = ?`, int64(l.cycle), l.part).Scan(&body)
		if err == nil {
			block.words, err = history.ReadWords(body)
		}
		return block, err
	})
}
