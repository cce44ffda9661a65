import { DtoValidationPipe } from '../../http/validation/validation.pipe.js';
import type { Config } from '../config/config.js';
import { fromCursor, PageQuery, toCursor, toPageRequest } from './page.query.js';

const LIST = 'licenses-createdAt-desc';
const _id = '665f1c2ab7e4a90012345678';
/** A cursor of the list, with this text after its name. */
const cursorOf = (end: string) => Buffer.from(`${LIST}.${end}`).toString('base64url');

// Reading pages is tested in src/licenses/license-reader.spec.ts, cursors of other lists in test/e2e/clients.
describe('a cursor', () => {
  it.each([
    '2026-01-31T10:15:00.123Z',
    '+275760-09-13T00:00:00.000Z',
    '-271821-04-20T00:00:00.000Z',
  ])('decodes to the position it was made from: %s', (time) => {
    const position = { value: new Date(time), _id };
    expect(fromCursor(LIST, toCursor(LIST, position))).toEqual(position);
  });

  it.each(['', 'a.b', '株式会社'])(
    'decodes to the position in a list sorted by text: %j',
    (value) => {
      const cursor = toCursor(LIST, { value, _id });
      expect(fromCursor(LIST, cursor, { isByText: true })).toEqual({ value, _id });
      // The same records in another order.
      expect(fromCursor('licenses-name', cursor, { isByText: true })).toBeUndefined();
    },
  );

  it.each([
    '',
    _id,
    cursorOf(`1.${_id}.2`),
    cursorOf(`01.${_id}`),
    cursorOf(` 1.${_id}`),
    cursorOf(`8640000000000001.${_id}`),
    cursorOf(`1.${_id.slice(1)}g`),
  ])('is rejected: %j', (cursor) => {
    expect(fromCursor(LIST, cursor)).toBeUndefined();
  });

  it.each(['CURSOR!!', ' CURSOR', 'CURSOR='])('is rejected when changed to %j', (changed) => {
    const cursor = toCursor(LIST, { value: new Date(0), _id });
    expect(fromCursor(LIST, changed.replace('CURSOR', cursor))).toBeUndefined();
  });
});

describe('the query of a list', () => {
  const read = (query: object): Promise<unknown> =>
    new DtoValidationPipe({} as Config).transform(query, { type: 'query', metatype: PageQuery });

  it('defaults to the first 20 records', async () => {
    const query = (await read({})) as PageQuery;
    expect(toPageRequest(query, LIST)).toEqual({ limit: 20, after: undefined });
  });

  it.each(['0', '101', '1.5', '', 'NaN', '1e1', '0x10', ' 5', '+5'])(
    'rejects the limit %j',
    async (limit) => {
      await expect(read({ limit })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    },
  );
});
