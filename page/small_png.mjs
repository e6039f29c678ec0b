// Makes a screenshot small: a PNG of true colours becomes one with a palette of 64. Most pixels of a page have one of a few
// colours; what lies between them is the smoothing of letters. No package does this here: PNG needs zlib, which Node has.
import { deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const mostColours = 64;

const crcTable = Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; ++bit) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});
const crc = (bytes) => (bytes.reduce((sum, byte) => crcTable[(sum ^ byte) & 255] ^ (sum >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;

function chunk(type, data) {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, "latin1");
  data.copy(out, 8);
  out.writeUInt32BE(crc(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}

// The pixels of a PNG as Chromium writes them: 8 bits of red, green, blue, and perhaps alpha, not interlaced.
function read(png) {
  let header = null;
  const data = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") header = { width: body.readUInt32BE(0), height: body.readUInt32BE(4), depth: body[8], kind: body[9] };
    if (type === "IDAT") data.push(body);
    at += 12 + length;
  }
  const { width, height, depth, kind } = header;
  if (depth !== 8 || (kind !== 2 && kind !== 6)) throw new Error("this PNG has another form than those of Chromium");
  const unit = kind === 6 ? 4 : 3;
  const row = width * unit;
  const raw = inflateSync(Buffer.concat(data));
  const pixels = Buffer.alloc(row * height);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (row + 1)];
    for (let x = 0; x < row; ++x) {
      const at = y * row + x;
      const left = x >= unit ? pixels[at - unit] : 0;
      const up = y ? pixels[at - row] : 0;
      const both = x >= unit && y ? pixels[at - row - unit] : 0;
      let guess = [0, left, up, (left + up) >> 1][filter] ?? 0;
      if (filter === 4) {
        const p = left + up - both;
        const [a, b, c] = [Math.abs(p - left), Math.abs(p - up), Math.abs(p - both)];
        guess = a <= b && a <= c ? left : b <= c ? up : both;
      }
      pixels[at] = raw[y * (row + 1) + 1 + x] + guess;
    }
  }
  return { width, height, unit, pixels };
}

// The colours that are used most, each as different from those before it as it may be: far ones count more.
function palette(counts) {
  const colours = [...counts].sort((a, b) => b[1] - a[1]);
  const chosen = [colours[0][0]];
  const away = colours.map(([colour]) => distance(colour, chosen[0]));
  while (chosen.length < Math.min(mostColours, colours.length)) {
    let best = 0;
    let worth = -1;
    colours.forEach(([, count], n) => {
      const value = away[n] * Math.sqrt(count);
      if (value > worth) (best = n), (worth = value);
    });
    chosen.push(colours[best][0]);
    colours.forEach(([colour], n) => (away[n] = Math.min(away[n], distance(colour, colours[best][0]))));
  }
  return chosen;
}
const distance = (a, b) => ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;

export function smallPng(png) {
  const { width, height, unit, pixels } = read(png);
  const colourAt = (at) => (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += unit) counts.set(colourAt(at), (counts.get(colourAt(at)) ?? 0) + 1);
  const colours = palette(counts);
  const nearest = new Map([...counts.keys()].map((colour) => [colour, colours.reduce((best, one, n) => (distance(one, colour) < distance(colours[best], colour) ? n : best), 0)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; ++y) for (let x = 0; x < width; ++x) rows[y * (width + 1) + 1 + x] = nearest.get(colourAt((y * width + x) * unit));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colourBytes = Buffer.from(colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([signature, chunk("IHDR", header), chunk("PLTE", colourBytes), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}
