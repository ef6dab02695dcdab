/** Writes a QR code as PNG with one bit per pixel. Does not compress the data, so that all runtimes produce the same bytes. */

import { concat, toUtf8 } from "../../world/bytes.ts";

/** `size`: number of modules (squares) per side. `get`: whether a module is dark; false outside of the code. */
export type QrMatrix = { readonly size: number; get(x: number, y: number): boolean };

/** Width of the white margin around a code, in modules. Scanners require it. */
const MARGIN = 4;
const PIXELS_PER_MODULE = 8;
const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const MAX_BLOCK_BYTES = 0xffff;

export function toPng(code: QrMatrix): Uint8Array {
  const side = (code.size + 2 * MARGIN) * PIXELS_PER_MODULE;
  const depth = [1, 0, 0, 0, 0]; // 1 bit per pixel, grayscale, deflate, no filters, not interlaced.
  return concat([
    SIGNATURE,
    buildChunk("IHDR", concat([toUint32(side), toUint32(side), Uint8Array.from(depth)])),
    buildChunk("IDAT", deflateStored(renderRows(code))),
    buildChunk("IEND", new Uint8Array()),
  ]);
}

/** Returns the rows of pixels. Each row starts with one byte, the filter type 0. Then each module is one byte: 8 pixels of 1 bit. */
function renderRows(code: QrMatrix): Uint8Array {
  const modules = code.size + 2 * MARGIN;
  const width = 1 + modules;
  const rows = new Uint8Array(width * modules * PIXELS_PER_MODULE);
  for (let y = 0; y < modules; y += 1) {
    const row = Uint8Array.from({ length: width }, (_, at) =>
      at === 0 || code.get(at - 1 - MARGIN, y - MARGIN) ? 0x00 : 0xff,
    );
    for (let line = 0; line < PIXELS_PER_MODULE; line += 1)
      rows.set(row, (y * PIXELS_PER_MODULE + line) * width);
  }
  return rows;
}

/** Wraps data in uncompressed zlib blocks (RFC 1950, 1951). */
function deflateStored(data: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [Uint8Array.of(0x78, 0x01)];
  for (let at = 0; at < data.length; at += MAX_BLOCK_BYTES) {
    const block = data.subarray(at, at + MAX_BLOCK_BYTES);
    const isLast = at + MAX_BLOCK_BYTES >= data.length;
    const [low, high] = [block.length & 0xff, block.length >> 8];
    blocks.push(Uint8Array.of(isLast ? 1 : 0, low, high, ~low, ~high), block);
  }
  return concat([...blocks, toUint32(computeAdler32(data))]);
}

/** Builds a PNG chunk: length, name, data, and a CRC of name and data. */
function buildChunk(name: string, data: Uint8Array): Uint8Array {
  const checked = concat([toUtf8(name), data]);
  return concat([toUint32(data.length), checked, toUint32(computeCrc32(checked))]);
}

function toUint32(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}

function computeAdler32(data: Uint8Array): number {
  let [low, high] = [1, 0];
  for (const byte of data) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return ((high << 16) | low) >>> 0;
}

function computeCrc32(data: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of data) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  }
  return ~rest >>> 0;
}
