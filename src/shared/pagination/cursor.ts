import { OBJECT_ID_PATTERN } from '../ids/object-id.js';
import type { Position } from './page.js';

const LATEST_TIME = 8.64e15;

/**
 * Encodes a position as an opaque cursor.
 *
 * @param list name of the list and its order: letters, digits and hyphens
 */
export function toCursor(list: string, { time, _id }: Position): string {
  return Buffer.from(`${list}.${time.getTime()}.${_id}`).toString('base64url');
}

/**
 * Decodes a cursor of this list; undefined for anything that {@link toCursor} has not returned.
 *
 * @param ids what the ids of the list's records are like
 */
export function fromCursor(
  list: string,
  cursor: string,
  ids = OBJECT_ID_PATTERN,
): Position | undefined {
  const [, time = '', _id = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  if (!/^-?\d{1,16}$/.test(time) || !ids.test(_id)) return undefined;
  if (Math.abs(Number(time)) > LATEST_TIME) return undefined;
  const position = { time: new Date(Number(time)), _id };
  // Buffer ignores characters that are not base64url, so compare with the exact text.
  return toCursor(list, position) === cursor ? position : undefined;
}
