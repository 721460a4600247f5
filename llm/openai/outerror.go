package openai

import "fmt"

// OutError says that an endpoint is not asked: it refused for the rest of the run, or is down. If Model is set, only
// this model is not asked.
type OutError struct {
	Endpoint string
	Model    string // its name in the scenario, if only this model is out
	Failure  Failure
	Text     string // the server's words, cleaned; of FailureContext what to do about it too
}

// Error implements error.
func (e *OutError) Error() string {
	if e.Failure == FailureContext {
		return e.Text
	}
	if e.Model != "" {
		return fmt.Sprintf("endpoint %s does not serve the model %q: %s; correct minds.models.%s.model, or the path of its endpoint, which usually ends in /v1", e.Endpoint, e.Model, e.Text, e.Model)
	}
	text := fmt.Sprintf("endpoint %s is out: %s: %s", e.Endpoint, e.Failure, e.Text)
	if e.Failure == FailureRedirected {
		text += "; redirects are never followed: set the endpoint to where the API is"
	}
	return text
}
