import { OBJECT_ID_PATTERN } from '../ids/object-id.js';
import type { Position } from './page.js';

const LATEST_TIME = 8.64e15;

/**
 * The opaque form of a position.
 *
 * @param list names the list and its order, in letters, digits and hyphens
 */
export function toCursor(list: string, { time, _id }: Position): string {
  return Buffer.from(`${list}.${time.getTime()}.${_id}`).toString('base64url');
}

/** The position that a cursor of this list names; undefined for what this service has never given out as one. */
export function fromCursor(list: string, cursor: string): Position | undefined {
  const [, time = '', _id = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  if (!/^-?\d{1,16}$/.test(time) || !OBJECT_ID_PATTERN.test(_id)) return undefined;
  if (Math.abs(Number(time)) > LATEST_TIME) return undefined;
  const position = { time: new Date(Number(time)), _id };
  // Decoding passes over what is no base64url: only the exact text is the cursor.
  return toCursor(list, position) === cursor ? position : undefined;
}
