// Frames, envelopes and what a recording must be as a whole (docs/WIRE.md, exported runs).

import { decode, encode } from "./msgpack.mjs";
import { agentKey, sha256, signed, systemKey, u64be } from "./keys.mjs";

const EVENT = 0x12n, WORLD_STATE = 0x104n;
const GENESIS = 0xf00n, AGENTS_SPAWNED = 0xf05n, AGENT_SPAWN = 0x1n;
const HEADER = ["version", "msg_type", "msg_id", "source", "target", "timestamp", "body_len", "body_hash", "signature"];
const HEADER_TYPES = ["u8", "u16", "H", "A", "A", "u64", "u32", "H", "S"];
const BROADCAST = Buffer.alloc(32, 0xff);
const MAX_FRAME = 1048576;
const RESERVED = new Map([["nonce", "u64"], ["stream", "bool"]]);
const SYSTEMS = "NEXUS VAULT AGORA ORACLE FORGE MINT PORTAL BRIDGE REGISTRY SESSION".split(" ");

function must(right, why) {
  if (!right) throw new Error(why);
}

// frames cuts a stream of bytes apart and yields {header, headerBytes, body}.
export async function* frames(stream, page) {
  let buf = Buffer.alloc(0);
  for await (const chunk of stream) {
    buf = Buffer.concat([buf, chunk]);
    for (let n; (n = whole(buf)) > 0; buf = buf.subarray(n)) yield open(buf.subarray(0, n), page);
  }
  must(buf.length === 0, "the last frame is cut");
}

// whole returns the length of the first frame, 0 while it is not all there.
function whole(buf) {
  if (buf.length < 6) return 0;
  must(buf.toString("latin1", 0, 4) === "KDOM", "no frame begins here");
  const hlen = buf.readUInt16BE(4);
  must(hlen >= 284 && hlen <= 298, `a header of ${hlen} bytes`);
  if (buf.length < 6 + hlen) return 0;
  const n = 6 + hlen + Number(decode(buf.subarray(6, 6 + hlen)).get("body_len"));
  must(n <= MAX_FRAME, "the frame is too large");
  return buf.length < n ? 0 : n;
}

function open(frame, page) {
  const hlen = frame.readUInt16BE(4);
  const raw = frame.subarray(6, 6 + hlen);
  const map = decode(raw);
  must([...map.keys()].join() === HEADER.join(), "the header has other fields, or in another order");
  HEADER.forEach((name, i) => page.check(map.get(name), HEADER_TYPES[i], name));
  must(encode(map).equals(raw), "the header is not canonical");
  must(map.get("version") === 1n, "another version");
  return { h: Object.fromEntries(map), map, body: frame.subarray(6 + hlen) };
}

const without = (map, ...names) => new Map([...map].filter(([k]) => !names.includes(k)));

export class Reader {
  constructor(page, seed) {
    this.page = page;
    this.seed = seed; // expected world seed, or undefined
    this.keys = new Map(); // hex id -> public key
    this.systems = new Map(); // hex id -> name
    for (const name of SYSTEMS) {
      const { key, id } = systemKey(name);
      this.keys.set(id.toString("hex"), key);
      this.systems.set(id.toString("hex"), name);
      if (name === "NEXUS") this.nexus = id;
    }
    this.count = { frames: 0, requests: 0, replies: 0, events: 0, signatures: 0, agents: 0 };
    this.clock = 0n;
    this.waiting = null; // request whose reply must come next
    this.lastEvent = null;
    this.order = null; // of the last request
    this.between = false;
    this.cycle = { cycle: 0n, requests: 0, chain: Buffer.alloc(32) };
  }

  // add verifies one frame and returns the cycle that it ends.
  add({ h, map, body }) {
    const key = this.keys.get(h.source.toString("hex"));
    must(key, `nobody has the id ${h.source.toString("hex")}`);
    must(sha256(body).equals(h.body_hash), "bad body_hash");
    must(sha256(encode(without(map, "msg_id", "signature")), h.body_hash).equals(h.msg_id), "bad msg_id");
    must(signed(key, encode(without(map, "signature")), h.signature), "bad signature");
    this.count.signatures++;
    must(h.timestamp >= this.clock, "its timestamp goes back");
    this.clock = h.timestamp;
    const done = this.place(h, decode(body));
    this.count.frames++;
    this.between = Boolean(done);
    return done;
  }

  place(h, body) {
    if (this.waiting) return this.reply(h, body);
    this.page.struct(body, this.page.request(h.msg_type), "body", RESERVED);
    if (!this.systems.has(h.source.toString("hex"))) return this.request(h);
    must(h.source.equals(this.nexus) && h.target.equals(BROADCAST), "it is neither a reply nor for everybody");
    if (h.msg_type === EVENT) return this.event(h, body);
    must(h.msg_type === WORLD_STATE, "it is not for everybody");
    return this.state(Object.fromEntries(body));
  }

  request(h) {
    must(this.systems.has(h.target.toString("hex")), "it is sent to no system");
    const order = Buffer.concat([u64be(h.timestamp), sha256(this.world, u64be(h.timestamp), h.source)]);
    must(!this.order || Buffer.compare(this.order, order) <= 0, "it is not in commit order");
    this.order = order;
    this.cycle.chain = sha256(this.cycle.chain, h.msg_id);
    this.cycle.requests++;
    this.count.requests++;
    this.waiting = h;
  }

  reply(h, body) {
    const asked = this.waiting;
    must(h.source.equals(asked.target) && h.target.equals(asked.source) && h.timestamp === asked.timestamp, "it is not the reply to the request before it");
    this.page.struct(body, this.page.reply(h.msg_type, asked.msg_type), "body");
    must(body.get("ref_msg_id")?.equals(asked.msg_id), "its ref_msg_id is another");
    this.waiting = null;
    this.count.replies++;
  }

  event(h, body) {
    const e = Object.fromEntries(body), id = Object.fromEntries(e.id);
    must(this.systems.get(id.agent.toString("hex")) === e.system, "the event's id is not that of its system");
    must(signed(this.keys.get(id.agent.toString("hex")), encode(without(body, "signature")), e.signature), "bad signature of the event record");
    this.count.signatures++;
    must(e.timestamp === h.timestamp && id.lamport >> 32n === e.timestamp, "the event is of another tick");
    const order = Buffer.concat([u64be(id.lamport), id.agent]);
    must(!this.lastEvent || Buffer.compare(this.lastEvent, order) < 0, "the event does not come after the one before");
    this.lastEvent = order;
    const payload = decode(e.payload);
    this.page.struct(payload, this.page.events.get(e.kind) ?? new Map(), "payload");
    if (!this.world) this.genesis(e.kind, payload);
    if (e.kind === AGENTS_SPAWNED) payload.get("agent_ids").forEach((a) => this.enrol(a));
    if (e.kind === AGENT_SPAWN) this.enrol(payload.get("agent_id"));
    this.count.events++;
  }

  genesis(kind, payload) {
    must(kind === GENESIS, "the first event is not genesis");
    this.world = payload.get("world_seed");
    must(!this.seed || this.seed.equals(this.world), `the world seed is ${this.world.toString("hex")}, not that of --seed`);
  }

  // enrol checks a newcomer's id against the key that the world seed gives it.
  enrol(id) {
    const hex = id.toString("hex");
    if (this.keys.has(hex)) return;
    const agent = agentKey(this.world, ++this.count.agents);
    must(agent.id.equals(id), `agent ${this.count.agents} has the id ${agent.id.toString("hex")}, not ${hex}`);
    this.keys.set(hex, agent.key);
  }

  state(s) {
    must(s.cycle === this.cycle.cycle, `it ends cycle ${s.cycle}, but cycle ${this.cycle.cycle} is open`);
    const parts = ["nexus", "vault", "agora", "oracle", "forge", "mint", "portal"].map((d) => s[`${d}_hash`]);
    must(sha256(...parts).equals(s.world_hash), "world_hash is not that of its components");
    const done = { ...this.cycle, world: s.world_hash };
    this.cycle = { cycle: done.cycle + 1n, requests: 0, chain: Buffer.alloc(32) };
    return done;
  }
}
