package postgres

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
)

// diskFull is PostgreSQL's SQLSTATE for a full disk.
const diskFull = "53100"

// secret is the password, known here only to keep it out of errors.
type secret string

// wrap names the operation, gives a full disk its system name and keeps the
// password out of the words. A nil error stays nil.
func (s secret) wrap(op string, err error) error {
	if err == nil {
		return nil
	}
	if bad := new(pgconn.PgError); errors.As(err, &bad) && bad.Code == diskFull {
		err = fmt.Errorf("%w: %w", syscall.ENOSPC, err)
	}
	if s != "" && strings.Contains(err.Error(), string(s)) {
		err = &redacted{words: strings.ReplaceAll(err.Error(), string(s), "xxxxx"), err: err}
	}
	return fmt.Errorf("%s: %w", op, err)
}

// redacted is an error with other words. It answers errors.Is and errors.As like
// the one behind it, but cannot be unwrapped to its words.
type redacted struct {
	words string
	err   error
}

func (r *redacted) Error() string        { return r.words }
func (r *redacted) Is(target error) bool { return errors.Is(r.err, target) }
func (r *redacted) As(target any) bool   { return errors.As(r.err, target) }
