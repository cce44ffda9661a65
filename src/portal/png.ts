const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** The first chunk: 13 bytes with the size of the image. */
const HEADER = Buffer.from('0000000d49484452', 'hex');
/** Size of a chunk without its data: its length, type and checksum. */
const CHUNK = 12;

/**
 * Maximum size of a logo, in bytes and in pixels each way, because a few bytes can decompress to an image
 * that fills a phone's memory.
 */
export const MAX_LOGO = 8 * 1024;
export const MAX_PIXELS = 1024;

/** Whether bytes are a single PNG of a size that every browser can show, with no trailing data. */
export function isLogo(bytes: Buffer): boolean {
  const start = Buffer.concat([SIGNATURE, HEADER]);
  if (bytes.length > MAX_LOGO || bytes.length < 33 || !bytes.subarray(0, 16).equals(start)) {
    return false;
  }
  const sizes = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return sizes.every((size) => size >= 1 && size <= MAX_PIXELS) && endsAfterLastChunk(bytes);
}

function endsAfterLastChunk(bytes: Buffer): boolean {
  let at = SIGNATURE.length;
  while (at + CHUNK <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    at += CHUNK + bytes.readUInt32BE(at);
    if (type === 'IEND') return at === bytes.length;
  }
  return false;
}
