/** Placeholders that firmware and programs report instead of an id, in lower case, letters and digits only. */
const PLACEHOLDERS = [
  ...['0', 'f', 'undefined', 'null', 'none', 'nan', 'unknown', 'invalid', 'error', 'objectobject'],
  ...['nodata', 'notspecified', 'notapplicable', 'notavailable', 'notset', 'noasset'],
  ...['tobefilledbyoem', 'oem', 'defaultstring', 'default', 'empty', 'standard', 'filled'],
  ...['systemserialnumber', 'systemproductname', 'systemmanufacturer', 'systemuuid', 'systemsku'],
  ...['baseboardserialnumber', 'mbserialnumber', 'chassisserialnumber', 'serialnumber'],
  ...['0123456789', '1234567890', '123456789', '9876543210', '0123456789abcdef'],
  // UUIDs that whole series of boards share.
  ...['03000200040005000006000700080009', '00020003000400050006000700080009'],
  ...['03d40274043505dc8506010700080009', '000102030405060708090a0b0c0d0e0f'],
  ...['fefefefefefefefefefefefefefefefe', '12345678123456781234567812345678'],
  ...['123456781234567890abcddeefaabbcc', 'deadbeefdeadbeefdeadbeefdeadbeef'],
  // MD5, SHA-1 and SHA-256 of an empty input.
  ...['d41d8cd98f00b204e9800998ecf8427e', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
];
const ONLY_PLACEHOLDERS = new RegExp(`^(?:${PLACEHOLDERS.join('|')})+$`);

/**
 * Whether a text identifies no single machine, because it is a placeholder, several placeholders, or one
 * repeated character.
 */
export function isPlaceholder(text: string): boolean {
  const characters = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return new Set(characters).size < 2 || ONLY_PLACEHOLDERS.test(characters);
}
