// Hashes and keys by the formulas of docs/WIRE.md, identities.

import { createHash, createPrivateKey, createPublicKey, verify } from "node:crypto";

export const sha256 = (...parts) => {
  const h = createHash("sha256");
  for (const p of parts) h.update(p);
  return h.digest();
};

export const u64be = (n) => {
  const b = Buffer.alloc(8);
  b.writeBigUInt64BE(BigInt(n));
  return b;
};

// publicKey makes the key of a 32-byte seed; node wants it wrapped in PKCS #8.
function publicKey(seed) {
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  const key = createPublicKey(createPrivateKey({ key: der, format: "der", type: "pkcs8" }));
  const raw = key.export({ format: "der", type: "spki" }).subarray(-32);
  return { key, id: sha256(raw) };
}

export const systemKey = (name) => publicKey(sha256("KINGDOM_SYSTEM:", `${name}_0`));
export const agentKey = (worldSeed, index) => publicKey(sha256("KINGDOM_AGENT:", worldSeed, u64be(index)));
export const worldSeed = (text) => sha256("KINGDOM_WORLD:", text);
export const signed = (key, bytes, signature) => verify(null, bytes, key, signature);
