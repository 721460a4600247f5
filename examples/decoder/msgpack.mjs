// Canonical MessagePack (docs/WIRE.md): reading, with the shortest form demanded, and the
// little writing that ids and signatures need. Integers are BigInt, floats {f32} or {f64},
// bytes Buffer, text string, maps Map.

export function decode(buf) {
  const r = { buf, pos: 0 };
  const v = value(r);
  if (r.pos !== buf.length) throw new Error(`${buf.length - r.pos} bytes after the value`);
  return v;
}

function take(r, n) {
  if (r.pos + n > r.buf.length) throw new Error("the value is cut");
  r.pos += n;
  return r.buf.subarray(r.pos - n, r.pos);
}

function uint(r, width) {
  let v = 0n;
  for (const b of take(r, width)) v = (v << 8n) | BigInt(b);
  return v;
}

// shortest reads a number of the given width that needs all of it.
function shortest(r, width, least) {
  const v = uint(r, width);
  if (v < least) throw new Error(`${v} is not in its shortest form`);
  return v;
}

const negative = (r, bits, below) => {
  const v = BigInt.asIntN(bits, uint(r, bits / 8));
  if (v >= below) throw new Error(`${v} is not in its shortest form`);
  return v;
};

function text(r, n) {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(take(r, Number(n)));
}

function list(r, n) {
  const out = [];
  for (let i = 0; i < n; i++) out.push(value(r));
  return out;
}

function map(r, n) {
  const out = new Map();
  for (let i = 0; i < n; i++) {
    const k = value(r);
    if (typeof k !== "string") throw new Error("a map's key is not text");
    if (out.has(k)) throw new Error(`key ${k} stands twice`);
    out.set(k, value(r));
  }
  return out;
}

function value(r) {
  const c = take(r, 1)[0];
  if (c <= 0x7f) return BigInt(c);
  if (c <= 0x8f) return map(r, c & 0x0f);
  if (c <= 0x9f) return list(r, c & 0x0f);
  if (c <= 0xbf) return text(r, c & 0x1f);
  if (c >= 0xe0) return BigInt(c - 256);
  switch (c) {
    case 0xc0: return null;
    case 0xc2: return false;
    case 0xc3: return true;
    case 0xc4: return take(r, Number(uint(r, 1)));
    case 0xc5: return take(r, Number(shortest(r, 2, 1n << 8n)));
    case 0xc6: return take(r, Number(shortest(r, 4, 1n << 16n)));
    case 0xca: return { f32: finite(take(r, 4).readFloatBE()) };
    case 0xcb: return { f64: finite(take(r, 8).readDoubleBE()) };
    case 0xcc: return shortest(r, 1, 128n);
    case 0xcd: return shortest(r, 2, 1n << 8n);
    case 0xce: return shortest(r, 4, 1n << 16n);
    case 0xcf: return shortest(r, 8, 1n << 32n);
    case 0xd0: return negative(r, 8, -32n);
    case 0xd1: return negative(r, 16, -(1n << 7n));
    case 0xd2: return negative(r, 32, -(1n << 15n));
    case 0xd3: return negative(r, 64, -(1n << 31n));
    case 0xd9: return text(r, shortest(r, 1, 32n));
    case 0xda: return text(r, shortest(r, 2, 1n << 8n));
    case 0xdb: return text(r, shortest(r, 4, 1n << 16n));
    case 0xdc: return list(r, Number(shortest(r, 2, 16n)));
    case 0xdd: return list(r, Number(shortest(r, 4, 1n << 16n)));
    case 0xde: return map(r, Number(shortest(r, 2, 16n)));
  }
  throw new Error(`byte 0x${c.toString(16)} begins no value`);
}

function finite(f) {
  if (!Number.isFinite(f) || Object.is(f, -0)) throw new Error(`the float ${f} is not canonical`);
  return f;
}

// encode writes a value as decode returns it.
export function encode(v) {
  if (v === null) return Buffer.from([0xc0]);
  if (typeof v === "boolean") return Buffer.from([v ? 0xc3 : 0xc2]);
  if (typeof v === "bigint") return integer(v);
  if (typeof v === "string") return sized(Buffer.from(v), [[32, 0xa0], [256, 0xd9], [65536, 0xda], [2 ** 32, 0xdb]]);
  if (Buffer.isBuffer(v)) return sized(v, [[256, 0xc4], [65536, 0xc5], [2 ** 32, 0xc6]]);
  if (Array.isArray(v)) return Buffer.concat([head(v.length, [[16, 0x90], [65536, 0xdc], [2 ** 32, 0xdd]]), ...v.map(encode)]);
  if (v instanceof Map) {
    const parts = [...v].flatMap(([k, x]) => [encode(k), encode(x)]);
    return Buffer.concat([head(v.size, [[16, 0x80], [65536, 0xde]]), ...parts]);
  }
  const b = Buffer.alloc("f32" in v ? 5 : 9, "f32" in v ? 0xca : 0xcb);
  if ("f32" in v) b.writeFloatBE(v.f32, 1);
  else b.writeDoubleBE(v.f64, 1);
  return b;
}

const sized = (bytes, forms) => Buffer.concat([head(bytes.length, forms), bytes]);

// head writes a length in the first form that holds it; forms that begin below 0xc0 hold it
// in the first byte.
function head(n, forms) {
  const i = forms.findIndex(([limit]) => n < limit);
  const [, code] = forms[i];
  if (code < 0xc0) return Buffer.from([code | n]);
  const width = { 256: 1, 65536: 2, [2 ** 32]: 4 }[forms[i][0]];
  const b = Buffer.alloc(1 + width, code);
  b.writeUIntBE(n, 1, width);
  return b;
}

function integer(v) {
  const signed = v < 0n;
  if (v >= -32n && v < 128n) return Buffer.from([Number(BigInt.asUintN(8, v))]);
  for (const [i, bits] of [8, 16, 32, 64].entries()) {
    const fits = signed ? BigInt.asIntN(bits, v) === v : BigInt.asUintN(bits, v) === v;
    if (!fits) continue;
    const hex = BigInt.asUintN(bits, v).toString(16).padStart(bits / 4, "0");
    return Buffer.concat([Buffer.from([(signed ? 0xd0 : 0xcc) + i]), Buffer.from(hex, "hex")]);
  }
  throw new Error(`${v} has more than 64 bits`);
}
