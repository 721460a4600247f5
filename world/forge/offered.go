package forge

import (
	"slices"

	"kingdom/wire"
)

// AppendServices appends services of others than a, at most limit, beginning with those after a's id, so that not all
// agents see the same ones. It only reads.
func (d *Daemon) AppendServices(dst []wire.ServiceView, a wire.AgentID, limit int) []wire.ServiceView {
	list := d.services.running
	at, _ := slices.BinarySearchFunc(list, wire.Hash(a), wire.Hash.Compare)
	first := len(dst)
	for i := 0; i < min(len(list), 2*limit) && len(dst)-first < limit; i++ {
		s := d.services.Get(list[(at+i)%len(list)])
		if s.Owner != a {
			dst = append(dst, wire.ServiceView{ID: s.ID, Owner: s.Owner, Name: s.Name, Endpoint: s.Endpoints[0].Name, Fee: s.Fee})
		}
	}
	return dst
}
