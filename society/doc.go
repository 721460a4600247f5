// Package society computes the metrics of docs/SOCIETY.md for a run: how varied its acts are, whether questions are
// answered, who contributes, how money moves, whether anybody fails, rests or learns. It reads the tables of a
// finished or running run once ([Read]) and computes the metrics from them ([Run.Measure]). Each metric has a
// definition, a value known from the literature if there is one, and a band that was fixed before it was measured.
//
// A metric is a pure function of the rows. Sums are formed in the order of the rows, and random networks are drawn
// from a fixed seed, so two stores with the same world give the same figures to the last bit.
//
// If nothing happened that a metric is about, it has a reason instead of a value. That is not the same as the value
// 0.
package society
