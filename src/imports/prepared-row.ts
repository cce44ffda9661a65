import {
  type Fields,
  isFields,
  isPlainText,
  withoutNulls,
} from '../shared/fields/request.decorators.js';

export const WARNINGS = [
  ...(['KEY_WEAK', 'ROUNDED_TO_DAYS', 'METADATA_CUT', 'ADDRESS_MADE_UP'] as const),
  ...(['MACHINES_RAISED', 'MACHINES_NOT_IMPORTED'] as const),
] as const;
export type Warning = (typeof WARNINGS)[number];

const MAX_PAIRS = 50;
const MAX_METADATA_BYTES = 8 * 1024;

/** A row before validation, with the defaults of its import and with other products' formats converted. */
export function preparedRow(row: Fields, defaults: Fields) {
  const warnings: Warning[] = [];
  const fields: Record<string, unknown> = {
    ...defaults,
    // Null means absent, except as the expiry date of a perpetual license.
    ...withoutNulls(row, 'expiresAt'),
  };
  const { days, metadata } = fields;
  if (typeof days === 'number' && days > 0 && !Number.isInteger(days)) {
    fields.days = Math.ceil(days);
    warnings.push('ROUNDED_TO_DAYS');
  }
  if (isFields(metadata)) {
    const { kept, isCut } = cutMetadata(metadata);
    fields.metadata = kept;
    if (isCut) warnings.push('METADATA_CUT');
  }
  return { fields, warnings };
}

/** As much metadata as a license can have. Values that are not text become JSON. */
function cutMetadata(metadata: Fields) {
  const kept: Record<string, string> = {};
  let bytes = 2;
  let isCut = false;
  for (const [name, value] of Object.entries(metadata)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const pair = [cut(name, 64), cut(text, 500)] as const;
    bytes += Buffer.byteLength(JSON.stringify(pair));
    const fits = Object.keys(kept).length < MAX_PAIRS && bytes <= MAX_METADATA_BYTES;
    if (fits && pair[0] !== '')
      Object.defineProperty(kept, pair[0], { value: pair[1], enumerable: true });
    isCut ||= !fits || pair[0] !== name || pair[1] !== text;
  }
  return { kept, isCut };
}

const cut = (text: string, most: number): string => {
  const characters = isPlainText(text)
    ? [...text]
    : [...text.replace(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]+/gu, ' ')];
  return characters.slice(0, most).join('');
};

const CLASSES = [/[0-9]/, /[A-Z]/, /[a-z]/, /[^0-9A-Za-z-]/];
const SIZES = [10, 26, 26, 32];
const LEAST_BITS = 64;

/** Whether a key is so short that it can be guessed, ignoring hyphens between groups. */
export function isWeakKey(key: string): boolean {
  const size = CLASSES.reduce((sum, one, index) => sum + (one.test(key) ? SIZES[index]! : 0), 0);
  return key.replaceAll('-', '').length * Math.log2(size || 1) < LEAST_BITS;
}
