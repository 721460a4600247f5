package observe

import (
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"kingdom/goals"
	"kingdom/ooda"
	"kingdom/wire"
)

// agentObject is the JSON object of an agent.
type agentObject wire.AgentID

// MarshalLogObject writes alias and id.
func (w agentObject) MarshalLogObject(enc zapcore.ObjectEncoder) error {
	enc.AddString("alias", wire.AgentID(w).Alias())
	enc.AddString("id", wire.AgentID(w).String())
	return nil
}

// agentField returns an agent field, null for the zero id.
func agentField(key string, id wire.AgentID) zap.Field {
	if id.IsZero() {
		return nullField(key)
	}
	return zap.Object(key, agentObject(id))
}

// goalObject is the JSON object of an agent's top goal.
type goalObject ooda.GoalRef

// MarshalLogObject writes id, kind and priority.
func (g *goalObject) MarshalLogObject(enc zapcore.ObjectEncoder) error {
	enc.AddString("id", g.ID.String())
	enc.AddString("kind", g.Kind.String())
	enc.AddFloat64("priority", g.Priority)
	return nil
}

// endedGoalObject is the JSON object of a goal that ended and so has no priority.
type endedGoalObject struct{ *goals.Satisfaction }

// MarshalLogObject writes id, kind and a priority of null.
func (e endedGoalObject) MarshalLogObject(enc zapcore.ObjectEncoder) error {
	enc.AddString("id", e.Goal.String())
	enc.AddString("kind", e.Kind.String())
	return enc.AddReflected("priority", nil)
}

func goalField(g *ooda.GoalRef) zap.Field {
	if g == nil {
		return nullField("goal")
	}
	return zap.Object("goal", (*goalObject)(g))
}

// nullField returns a field with the value null: every line of a stream has all of its fields.
func nullField(key string) zap.Field { return zap.Reflect(key, nil) }

// closedByField returns a field with the alias of the agent that closed a goal's subject, null if there is none.
func closedByField(a wire.AgentID) zap.Field {
	if a.IsZero() {
		return nullField("by")
	}
	return zap.String("by", a.Alias())
}

// textField returns a string field, null if value is empty.
func textField(key, value string) zap.Field {
	if value == "" {
		return nullField(key)
	}
	return zap.String(key, value)
}

// tierField returns the tier field, null if set is false because no thought was needed.
func tierField(t interface{ String() string }, set bool) zap.Field {
	if !set {
		return nullField("tier")
	}
	return zap.String("tier", t.String())
}

// statusField returns a status field, null if s is zero.
func statusField(key string, s wire.AgentStatus) zap.Field {
	if s == 0 {
		return nullField(key)
	}
	return zap.String(key, s.String())
}
