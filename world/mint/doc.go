// Package mint is the world's treasury: accounts, transfers and their tax, escrows,
// stakes, rewards, purchases, bankruptcy and the economic report (docs/WORLD.md, Mint).
//
// Requests arrive through Daemon.Apply when a tick is committed; the other daemons call
// the methods of world.Accounts, Escrows, Rewards, Estates, Policy and Standing inside
// the same commit; and at cycle end the realm calls FillPool (step 1), CycleEnd
// (step 4) and Settle (step 9).
//
// The package promises that money is never made or lost by moving it: the sum of all
// balances, treasury and reserve included, is the total supply. Settle checks that at
// every cycle end and panics with the difference. Only Genesis, Inflate, the debt
// jubilee and the emergency mint create money. The caller owes a checked sender and
// true runtime fields (the receive pipeline); Attach must be called before the first
// request.
package mint
