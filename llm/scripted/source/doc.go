// Package source is the shelf of Starlark programs that the scripted mind writes from: for each
// task of a system bounty several right programs and several with one mistake each, a short test
// of one's own, small modules that other programs load, and services. It stands for what a
// language model would write; nothing else of ours enters the world after the Big Bang.
//
// It promises: the same arguments give the same text; all programs are valid Starlark of the
// dialect of package world/forge/program, the right ones pass the tests of their bounties and the
// wrong ones do not. No I/O: the programs are compiled in.
//
// Files of the shelf: one directory per task with right_*.star, wrong_*.star, whose first line
// "# mistake: …" says what is wrong and is never written into the world, and try.star; directory
// lib with modules, and service with programs that serve(data, state).
package source
