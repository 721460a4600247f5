package scenarios

import (
	"fmt"

	"go.yaml.in/yaml/v4"
)

// Values returns the resolved scenario as plain values, for printing it in other forms.
func (s *Scenario) Values() map[string]any {
	var v map[string]any
	if err := yaml.Load(s.Show(), &v); err != nil {
		panic(fmt.Sprintf("scenarios: reading a resolved scenario: %v", err))
	}
	return v
}
