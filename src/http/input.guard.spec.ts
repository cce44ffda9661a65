import { DomainError } from '../shared/errors/domain-error.js';
import { readJsonBody } from '../shared/fields/json-body.js';

const read = (text: string) => readJsonBody(Buffer.from(text));
const arrays = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number) => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1);
const MALFORMED = new DomainError('MALFORMED_JSON');
const TOO_DEEP = new DomainError('BODY_TOO_DEEP');

describe('readJsonBody', () => {
  it.each([
    ['{"key":"LIC-1"}', { key: 'LIC-1' }],
    [' \n{"a":[1,"ü",null,true]}\t', { a: [1, 'ü', null, true] }],
    ['null', null],
    ['{"constructor":1,"prototype":2}', { constructor: 1, prototype: 2 }],
    ['', undefined],
    // With a byte order mark.
    ['\ufeff{"key":"LIC-1"}', { key: 'LIC-1' }],
  ])('reads %j as %j', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each(['{', '{"key":"LIC-1",}', ' ', '\ufeff'])('rejects the malformed %j', (text) => {
    expect(() => read(text)).toThrow(MALFORMED);
  });

  // An encoded surrogate, and Latin-1.
  it.each(['\xed\xa0\x80', '\xfc'])('rejects the bytes of %j, which are not UTF-8', (bytes) => {
    const body = Buffer.from(`{"a":"${bytes}"}`, 'latin1');
    expect(() => readJsonBody(body)).toThrow(MALFORMED);
  });

  it.each([
    '{"__proto__":{"isAdmin":true}}',
    '{"\\u005f_proto__":{"isAdmin":true}}',
    '{"a":[{"__proto__":{"isAdmin":true}}]}',
    '{"a":{"constructor":{"prototype":{"isAdmin":true}}}}',
  ])('rejects %s, which would change a prototype', (text) => {
    expect(() => read(text)).toThrow(MALFORMED);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it.each([
    ['arrays', arrays(16), arrays(17)],
    ['objects', objects(16), objects(17)],
    ['both, in a later field', `{"a":1,"b":${arrays(15)}}`, `{"a":1,"b":${arrays(16)}}`],
  ])('reads 16 levels of %s and rejects 17', (_name, deepest, deeper) => {
    expect(read(deepest)).toEqual(JSON.parse(deepest));
    expect(() => read(deeper)).toThrow(TOO_DEEP);
  });

  it('rejects the deepest body of 16 KiB without a stack overflow', () => {
    expect(() => read(arrays(8192))).toThrow(TOO_DEEP);
    expect(() => read(objects(2700))).toThrow(TOO_DEEP);
    expect(() => read('['.repeat(16_384))).toThrow(MALFORMED);
  });
});
