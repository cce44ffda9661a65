import { fromCursor, toCursor } from './cursor.js';

const LIST = 'licenses-createdAt-desc';
const _id = '665f1c2ab7e4a90012345678';
/** A cursor of the list, with this text after its name. */
const cursorOf = (end: string) => Buffer.from(`${LIST}.${end}`).toString('base64url');

describe('a cursor', () => {
  it.each([
    '1970-01-01T00:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '2026-01-31T10:15:00.123Z',
    '+275760-09-13T00:00:00.000Z',
    '-271821-04-20T00:00:00.000Z',
  ])('decodes to the position it was made from: %s', (time) => {
    const position = { time: new Date(time), _id };
    expect(fromCursor(LIST, toCursor(LIST, position))).toEqual(position);
  });

  it.each(['licenses-createdAt-asc', 'licenses-expiresAt-desc', 'licenses', 'clients', ''])(
    'is rejected by a list or order other than its own: %j',
    (other) => {
      const position = { time: new Date(0), _id };
      expect(fromCursor(other, toCursor(LIST, position))).toBeUndefined();
      expect(fromCursor(LIST, toCursor(other, position))).toBeUndefined();
    },
  );

  it('needs no escaping in a query', () => {
    const cursor = toCursor(LIST, { time: new Date('2026-01-31T10:15:00.123Z'), _id });
    expect(encodeURIComponent(cursor)).toBe(cursor);
  });

  it.each([
    '',
    'x',
    _id,
    'null',
    '%00',
    cursorOf(''),
    cursorOf('.'),
    cursorOf(`.${_id}`),
    cursorOf('1.'),
    cursorOf(`1.${_id}.2`),
    cursorOf(`1,${_id}`),
    cursorOf(`--1.${_id}`),
    cursorOf(`-0.${_id}`),
    cursorOf(`+1.${_id}`),
    cursorOf(`01.${_id}`),
    cursorOf(`-8640000000000001.${_id}`),
    cursorOf(`1.${_id}.`),
    Buffer.from(`1.${_id}`).toString('base64url'),
    Buffer.from(`.1.${_id}`).toString('base64url'),
    Buffer.from(`${LIST.toUpperCase()}.1.${_id}`).toString('base64url'),
    cursorOf(`1.5.${_id}`),
    cursorOf(`1e3.${_id}`),
    cursorOf(`NaN.${_id}`),
    cursorOf(` 1.${_id}`),
    cursorOf(`8640000000000001.${_id}`),
    cursorOf(`99999999999999999999.${_id}`),
    cursorOf(`1.${_id.slice(1)}`),
    cursorOf(`1.${_id}0`),
    cursorOf(`1.${_id.slice(1)}g`),
    cursorOf('1.{"$gt":""}'),
    cursorOf("1.' OR 1=1 --"),
  ])('is rejected: %j', (cursor) => {
    expect(fromCursor(LIST, cursor)).toBeUndefined();
  });

  it.each(['CURSOR!!', ' CURSOR', 'CURSOR='])('is rejected when changed to %j', (changed) => {
    const cursor = toCursor(LIST, { time: new Date(0), _id });
    expect(fromCursor(LIST, changed.replace('CURSOR', cursor))).toBeUndefined();
  });
});
