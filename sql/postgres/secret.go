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

// wrap names the operation, gives a full disk its system name, says what to do where there is no connection, and keeps
// the password out of the words. A nil error stays nil.
func (s secret) wrap(op string, err error) error {
	if err == nil {
		return nil
	}
	if bad := new(pgconn.PgError); errors.As(err, &bad) && bad.Code == diskFull {
		err = fmt.Errorf("%w: %w", syscall.ENOSPC, err)
	}
	if bad := new(pgconn.ConnectError); errors.As(err, &bad) {
		err = &reworded{words: connectErrorText(bad), err: err}
	}
	if s != "" && strings.Contains(err.Error(), string(s)) {
		err = &reworded{words: strings.ReplaceAll(err.Error(), string(s), "xxxxx"), err: err}
	}
	return fmt.Errorf("%s: %w", op, err)
}

// connectErrorText says once what each attempt to connect says, in one line.
func connectErrorText(err *pgconn.ConnectError) string {
	words, causes, _ := strings.Cut(err.Error(), "\n")
	for cause := range strings.Lines(causes) {
		if cause = strings.TrimSpace(cause); !strings.Contains(words, cause) {
			words += " " + cause
		}
	}
	return words + "; see whether the server runs, and whether host, port, user, password and database of --store or run.json are right"
}

// reworded is an error with other words. It answers errors.Is and errors.As like
// the one behind it, but cannot be unwrapped to its words.
type reworded struct {
	words string
	err   error
}

func (r *reworded) Error() string        { return r.words }
func (r *reworded) Is(target error) bool { return errors.Is(r.err, target) }
func (r *reworded) As(target any) bool   { return errors.As(r.err, target) }
