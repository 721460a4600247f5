package realm_test

import (
	"testing"

	"kingdom/world/worldtest"
)

func TestTranscripts(t *testing.T) { worldtest.Run(t, "testdata/*.txt") }
