package observe

import (
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"kingdom/goals"
	"kingdom/ooda"
	"kingdom/wire"
)

// who is the agent of a line.
type who wire.AgentID

// MarshalLogObject writes alias and id.
func (w who) MarshalLogObject(enc zapcore.ObjectEncoder) error {
	enc.AddString("alias", wire.AgentID(w).Alias())
	enc.AddString("id", wire.AgentID(w).String())
	return nil
}

// someone is an agent field, null when it is nobody.
func someone(key string, id wire.AgentID) zap.Field {
	if id.IsZero() {
		return null(key)
	}
	return zap.Object(key, who(id))
}

// goal is the top goal of a line.
type goal ooda.GoalRef

// MarshalLogObject writes id, kind and priority.
func (g *goal) MarshalLogObject(enc zapcore.ObjectEncoder) error {
	enc.AddString("id", g.ID.String())
	enc.AddString("kind", g.Kind.String())
	enc.AddFloat64("priority", g.Priority)
	return nil
}

// ended is a goal that ended; it has no priority any more.
type ended struct{ *goals.Satisfaction }

// MarshalLogObject writes id, kind and a priority of null.
func (e ended) MarshalLogObject(enc zapcore.ObjectEncoder) error {
	enc.AddString("id", e.Goal.String())
	enc.AddString("kind", e.Kind.String())
	return enc.AddReflected("priority", nil)
}

func goalField(g *ooda.GoalRef) zap.Field {
	if g == nil {
		return null("goal")
	}
	return zap.Object("goal", (*goal)(g))
}

// null is a field that is there but has no value: every line of a stream has all
// of its fields.
func null(key string) zap.Field { return zap.Reflect(key, nil) }

// by is the alias of who closed a goal's subject, null if nobody in particular did.
func by(a wire.AgentID) zap.Field {
	if a.IsZero() {
		return null("by")
	}
	return zap.String("by", a.Alias())
}

// text is a string field, null when empty.
func text(key, value string) zap.Field {
	if value == "" {
		return null(key)
	}
	return zap.String(key, value)
}

// tier is the tier field, null when no thought was needed.
func tier(t interface{ String() string }, set bool) zap.Field {
	if !set {
		return null("tier")
	}
	return zap.String("tier", t.String())
}

// status is a status field, null when there is none.
func status(key string, s wire.AgentStatus) zap.Field {
	if s == 0 {
		return null(key)
	}
	return zap.String(key, s.String())
}
