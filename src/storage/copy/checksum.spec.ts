import { checksum } from './checksum.js';

const TIME = '2026-01-31T10:20:30.456Z';
const RECORD = { _id: '1', at: new Date(TIME), list: [1, 2], nested: { a: 1, b: null } };

describe('checksum', () => {
  it('is the same whatever the order of the fields', () => {
    const { _id, at, list } = RECORD;
    expect(checksum({ nested: { b: null, a: 1 }, list, at, _id })).toBe(checksum(RECORD));
  });

  it.each([
    { _id: '2' },
    { at: new Date(Date.parse(TIME) + 1) },
    { at: TIME },
    { list: [2, 1] },
    { nested: { a: 1, b: null, c: 0 } },
    { nested: { a: '1', b: null } },
    { nested: { a: 1 } },
  ])('differs where a record has %j instead', (change) => {
    expect(checksum({ ...RECORD, ...change })).not.toBe(checksum(RECORD));
  });
});
