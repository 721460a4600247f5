// Package mint is the daemon of money: accounts, transfers and their tax, escrows, stakes, rewards, purchases,
// bankruptcy and the economic report (docs/WORLD.md, Mint).
//
// Requests arrive through Daemon.Apply at the commit of a tick. During the commit other daemons call the methods of
// world.Accounts, Escrows, Rewards, AccountLifecycle, MonetaryPolicy and Standing. At cycle end the realm calls FillPool (step 1),
// CycleEnd (step 4) and Settle (step 9).
//
// Moving money never creates or destroys it: the sum of all balances, treasury and reserve included, is the total
// supply. Settle checks this at every cycle end and panics with the difference. Only Genesis, Inflate, the debt
// jubilee and the emergency mint create money. The caller must have checked the sender and the fields that the
// runtime fills in, and must call Attach before the first request.
package mint
