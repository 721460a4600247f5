// Package society measures a run as one would a society: how varied its acts are, whether questions
// are answered, who contributes, how money moves, whether anybody fails, rests or learns. It reads
// the tables of a finished or running run once ([Read]), and computes the metrics of docs/SOCIETY.md
// from them ([Run.Measure]); each has a definition, an anchor outside of this program where one is
// known, and a band that was fixed before it was measured.
//
// A metric is a pure function of the rows: it sums in their order, and what needs chance, the
// rewired networks that a network is compared with, draws from a fixed seed. Two stores that hold
// one world give the same figures to the last bit.
//
// What a run cannot tell, since nothing happened that the metric is about, has no value but a
// reason. Zero is a value.
package society
