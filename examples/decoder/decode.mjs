#!/usr/bin/env node
// Verifies a run that kingdom journal export wrote, from docs/WIRE.md alone:
//
//   node decode.mjs FRAMES [--cycles FILE] [--seed TEXT] [--page WIRE.md]
//
// FRAMES - is standard input. --cycles is what journal export --json printed: the run's
// own envelope chain and world hash per cycle, which must be those of the frames. --seed
// is the run's seed text. It exits 1 at the first failure, naming the frame.

import { createReadStream, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { worldSeed } from "./keys.mjs";
import { Page } from "./page.mjs";
import { Reader, frames } from "./reader.mjs";

const { values: opt, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cycles: { type: "string" },
    seed: { type: "string" },
    page: { type: "string", default: fileURLToPath(new URL("../../docs/WIRE.md", import.meta.url)) },
  },
});
if (positionals.length !== 1) {
  console.error("usage: node decode.mjs FRAMES [--cycles FILE] [--seed TEXT] [--page WIRE.md]");
  process.exit(2);
}

const page = new Page(opt.page);
const reader = new Reader(page, opt.seed === undefined ? undefined : worldSeed(opt.seed));
const told = opt.cycles && cyclesOf(opt.cycles);
let seen = 0; // cycles

// cyclesOf reads the lines that hold a cycle.
function cyclesOf(file) {
  try {
    return readFileSync(file, "utf8").trim().split("\n").map((l) => JSON.parse(l)).filter((l) => "cycle" in l);
  } catch (err) {
    console.error(`--cycles ${file}: ${err.message}; give it what kingdom journal export --json printed`);
    process.exit(2);
  }
}

function compare(done) {
  seen++;
  if (!told) return;
  const want = told[Number(done.cycle)];
  if (!want || want.cycle !== Number(done.cycle)) throw new Error(`${opt.cycles} has no cycle ${done.cycle}`);
  if (want.envelope_chain !== done.chain.toString("hex")) throw new Error(`the envelope chain of cycle ${done.cycle} is ${done.chain.toString("hex")}, but the run has ${want.envelope_chain}`);
  if (want.world_hash !== done.world.toString("hex")) throw new Error(`the world hash of cycle ${done.cycle} is ${done.world.toString("hex")}, but the run has ${want.world_hash}`);
}

try {
  const stream = positionals[0] === "-" ? process.stdin : createReadStream(positionals[0]);
  for await (const f of frames(stream, page)) {
    const done = reader.add(f);
    if (done) compare(done);
  }
  if (!reader.between) throw new Error("the frames do not end with the WORLD_STATE of a cycle");
  if (told && seen !== told.length) throw new Error(`the run has ${told.length} cycles, the frames end after ${seen}`);
} catch (err) {
  console.error(`frame ${reader.count.frames + 1}: ${err.message}`);
  process.exit(1);
}
const n = reader.count;
console.log(`${n.frames} frames: ${n.requests} requests, ${n.replies} replies, ${n.events} events; ${n.signatures} signatures, ${n.agents} agents and ${seen} cycles verified` +
  (told ? ", every envelope chain and world hash the run's" : "; give --cycles to compare their envelope chains with the run's"));
