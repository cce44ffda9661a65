import { DtoValidationPipe } from '../../server/validation/validation.pipe.js';
import { toCursor } from './cursor.js';
import { PageQuery, toListResponse, toPageRequest } from './page.query.js';

const LIST = 'clients';
const POSITION = {
  time: new Date('2026-01-31T10:15:00.123Z'),
  _id: '665f1c2ab7e4a90012345678',
};

const read = (query: object): Promise<unknown> =>
  new DtoValidationPipe().transform(query, { type: 'query', metatype: PageQuery });
const pageRequestOf = async (query: object) =>
  toPageRequest((await read(query)) as PageQuery, LIST);

describe('the query of a list', () => {
  it('requests the first 20 records if it is empty', async () => {
    expect(await pageRequestOf({})).toEqual({ limit: 20, after: undefined });
  });

  it.each([1, 20, 100])('accepts the limit %i', async (limit) => {
    expect(await pageRequestOf({ limit: String(limit) })).toMatchObject({ limit });
  });

  it.each([
    '0',
    '101',
    '-1',
    '1.5',
    'abc',
    '',
    ' ',
    'NaN',
    'Infinity',
    'true',
    '1,2',
    '1e1',
    '0x10',
    ' 5',
    '5.0',
    '+5',
  ])('rejects the limit %j', async (limit) => {
    await expect(read({ limit })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('continues after the position of a cursor', async () => {
    const after = (await pageRequestOf({ cursor: toCursor(LIST, POSITION) })).after;
    expect(after).toEqual(POSITION);
  });

  it.each(['', 'abc', 'MQ', POSITION._id, toCursor('projects', POSITION)])(
    'rejects %j, which is not a cursor of this list',
    async (cursor) => {
      await expect(pageRequestOf({ cursor })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        fields: { errors: { cursor: ['cursor must be the nextCursor of an earlier page'] } },
      });
    },
  );

  it.each([
    { limit: ['5'] },
    { limit: ['5', '6'] },
    { cursor: [toCursor(LIST, POSITION)] },
    { cursor: [toCursor(LIST, POSITION), toCursor(LIST, POSITION)] },
  ])('rejects a repeated parameter: %j', async (query) => {
    await expect(read(query)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('the response of a list', () => {
  const toDto = ({ name }: { name: string }) => name.toUpperCase();

  it('has the mapped records and the cursor of the next page', () => {
    const page = { data: [{ name: 'a' }, { name: 'b' }], next: POSITION };
    expect(toListResponse(page, LIST, toDto)).toEqual({
      data: ['A', 'B'],
      nextCursor: toCursor(LIST, POSITION),
    });
  });

  it('has no cursor on the last page', () => {
    const page = { data: [], next: null };
    expect(toListResponse(page, LIST, toDto)).toEqual({ data: [], nextCursor: null });
  });
});
