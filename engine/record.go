package engine

// remember is the record phase of one agent: it learns what became of its action. What
// the reply shows of the past is read first.
func (e *Engine) remember(s *seat, j *job) error {
	if err := e.contents.fill(j.ctx, s.reply.Missing); err != nil {
		return err
	}
	s.turn.Record(s.reply)
	return nil
}

// settle waits until the record phase of the last tick is over. It runs beside
// the next tick and must be over before the world or another agent's goroutine
// may change anything.
func (e *Engine) settle() {
	if e.recording {
		e.recorder.wait()
		e.recording = false
	}
}

// record writes a journal record, if there is a journal.
func (e *Engine) record(kind recordKind, sync bool, body func([]byte) []byte) error {
	switch {
	case e.journal == nil:
		return nil
	case sync:
		return e.journal.putSync(kind, body)
	}
	return e.journal.put(kind, body)
}
