package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"kingdom/sql/history"
	"kingdom/sql/table"
	"kingdom/wire"
)

// cyclesPerGeneration is for how many cycles words are written: so many that what a generation writes anew is little
// beside what its cycles write, and so few that words which no agent remembers any more are soon gone.
const cyclesPerGeneration = 16

// words stands for blocks of words in the archive; a generation takes the place of the cycle.
var words = &bulk{name: "words"}

// wordsOf returns the words for the commit of a cycle: those of the commits before in the same generation. Until the commit
// is through, the keeper has none, so that after one that failed they are read again.
func (k *keeper) wordsOf(ctx context.Context, tx *sql.Tx, c wire.Cycle) (*history.Words, error) {
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
				return leaf{wire.Cycle(generation), words, 0}.failed(err)
			}
		}
		return rows.Err()
	})
	if err == nil && !begun {
		err = forgetWords(ctx, tx)
	}
	return w, err
}

// forgetWords deletes the generations of words that no value needs any more.
func forgetWords(ctx context.Context, tx *sql.Tx) error {
	needed := map[uint64]bool{}
	for _, p := range packedTables {
		for _, c := range p.columns {
			err := query(tx)(ctx, `SELECT substr(`+p.table.Columns[c].Name+`, 1, 16) FROM `+p.table.Schema+`.`+p.table.Name+p.where(), nil, func(rows table.Cursor) error {
				for rows.Next() {
					var head []byte
					if err := rows.Scan(&head); err != nil {
						return err
					}
					if g, ok := history.GenerationOf(head); ok {
						needed[g] = true
					}
				}
				return rows.Err()
			})
			if err != nil {
				return err
			}
		}
	}
	keep := make([]any, 0, len(needed))
	for g := range needed {
		keep = append(keep, int64(g))
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM history_words WHERE generation NOT IN (`+strings.Join(slices.Repeat([]string{"?"}, len(keep)), ", ")+`)`, keep...)
	return err
}

// vocabulary is the words of a commit; nil where nothing is packed.
func (k *keeping) vocabulary() *history.Words {
	if k == nil {
		return nil
	}
	return k.new.words
}

// plainly reads what a store with a history keeps packed.
type plainly struct {
	*archive
	db database
}

// Plain implements table.Past.
func (p plainly) Plain(ctx context.Context, b []byte) ([]byte, error) {
	var last leaf // most words of a value are in few blocks
	var block page
	return history.UnpackValue(b, func(generation, n uint64) (word []byte, err error) {
		l := leaf{wire.Cycle(generation), words, int64(n / history.WordsPerBlock)}
		if l != last {
			if block, err = p.block(ctx, l); err != nil {
				return nil, err
			}
			last = l
		}
		if word, err = block.words.Word(int(n % history.WordsPerBlock)); err != nil {
			err = l.failed(err)
		}
		return word, err
	})
}

// block is a block of words.
func (p plainly) block(ctx context.Context, l leaf) (page, error) {
	return p.open(l, func() (block page, err error) {
		var body []byte
		err = p.db.QueryRowContext(ctx, `SELECT body FROM history_words WHERE generation = ? AND part = ?`, int64(l.cycle), l.part).Scan(&body)
		if err == nil {
			block.words, err = history.ReadWords(body)
		}
		return block, err
	})
}
