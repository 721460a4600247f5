package wire

// What one ⚡ buys from the treasury with a RESOURCE_BUY transfer (docs/WORLD.md, Mint).
const (
	TicksPerSpark      = 4         // ticks of the next cycle
	ForgeTicksPerSpark = 4         // Forge ticks of the next cycle
	BytesPerSpark      = 10 * 1024 // bytes of storage, for good
)
