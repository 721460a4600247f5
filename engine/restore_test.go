package engine

import "testing"

// A restored world keeps none of the rows that it was restored from: those of an agent are released before the next
// agent is made.
func TestRestore_ReleasesRowsItRead(t *testing.T) {
	cfg, store := testConfig("42", 3), newMemStore()
	mustRun(t, cfg, Options{Dir: t.TempDir(), Store: store, Mind: testMind("42")}, 2)
	img, err := store.Load(t.Context())
	if err != nil || len(img.Minds) != 3 {
		t.Fatalf("%d agents are stored, %v", len(img.Minds), err)
	}
	e := newEngine(cfg, Options{Store: store, Mind: testMind("42")}, false)
	defer e.Close()
	if err := e.restore(t.Context(), img); err != nil {
		t.Fatal(err)
	}
	if img.Rows != nil {
		t.Errorf("%d rows of the world are held", len(img.Rows))
	}
	for i := range img.Minds {
		if r := &img.Minds[i]; !r.Empty() {
			t.Errorf("the rows of agent %d are held", i)
		}
	}
}
