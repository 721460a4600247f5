package wire

// Access says who may read and write an Agora channel; exactly one variant is set.
type Access struct {
	Public bool `kdom:"PUBLIC"`
	// InviteOnly lists the members besides the creator.
	InviteOnly *[]AgentID `kdom:"INVITE_ONLY"`
}

// Union marks the type as a union enum.
func (Access) Union() {}

// ChannelCreate opens a channel for a fee.
type ChannelCreate struct {
	Kind       ChannelKind `kdom:"kind"`
	Name       []byte      `kdom:"name"`
	Access     Access      `kdom:"access"`
	LinkedRepo *Hash       `kdom:"linked_repo"`
	// AutoClose is the number of idle cycles after which the channel is archived.
	AutoClose *uint64 `kdom:"auto_close"`
}

// ChannelCreateAck names the channel.
type ChannelCreateAck struct {
	ChannelID Hash `kdom:"channel_id"`
}
