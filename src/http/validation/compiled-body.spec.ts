import { ValidationPipe } from '@nestjs/common';
import { casesInScope } from '../../../test/scope.js';
import { LicenseKeyDto } from '../../activation/dto/license-key.dto.js';
import { readerOf } from './validation.pipe.js';

const interpreted = new ValidationPipe({ whitelist: true, transform: true });
const explained = (body: object): Promise<object | undefined> =>
  interpreted.transform(body, { type: 'body', metatype: LicenseKeyDto }).catch(() => undefined);
const read = (body: object) => readerOf(LicenseKeyDto)!(body);

const LABEL = 'com.example.Web-Shop';
const ID = '665f1c2ab7e4a90012345678';
const ofLength = (length: number) => 'x'.repeat(length);

/** Each value is tried in each field. */
const VALUES: readonly unknown[] = [
  ...[undefined, null, true, false, 5, {}, [], [LABEL], { $ne: null }],
  ...['', ' ', 'true', '\u0000', '\ud800', LABEL, ID, 'shop-', 'shop\n'],
  ...[15, 16, 64, 65, 256, 257, 10_000].map(ofLength),
  ...[` ${ofLength(15)} `, ` ${ofLength(16)} `, ` ${ofLength(256)}`, `\ufeff${ofLength(20)}`],
  ...['\u0007', '\uffff', 'é', ' x'].map((end) => ofLength(20) + end),
  '🚀'.repeat(16),
];

/** A body with these fields, except undefined ones. */
const bodyOf = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
const inPairs = <T>(toBody: (one: unknown, other: unknown) => T) =>
  VALUES.flatMap((one) => VALUES.map((other) => toBody(one, other)));

describe('a compiled body reader', () => {
  const unknown = { productName: 'Shop', constructor: 1, toString: 2, then: 3 };
  const bodies = [
    ...inPairs((key, nonce) => ({ key, nonce, ...unknown })),
    ...inPairs((certificate, product) => ({ key: ID, certificate, fingerprint: ID, product })),
    ...inPairs((fingerprint, product) => ({ key: ID, certificate: true, fingerprint, product })),
    ...VALUES.map((fingerprint) => ({ key: ID, fingerprint })),
  ].map(bodyOf);
  const compared = casesInScope(bodies);

  it(`reads ${compared.length} bodies exactly like class-validator`, async () => {
    for (const body of compared) {
      const expected = await explained(structuredClone(body));
      expect({ body, read: read(body) }).toStrictEqual({ body, read: expected });
    }
  });

  it('accepts a certificate request only with a printable ASCII fingerprint and a product', () => {
    const certified = bodies.filter((body) => read(body) && 'certificate' in body);
    const valuesOf = (name: string) => new Set(certified.map((body) => body[name] as string));
    const printable = [...[16, 64, 65, 256].map(ofLength), `${ofLength(20)} x`];
    expect(valuesOf('fingerprint')).toStrictEqual(new Set([LABEL, ID, ...printable]));
    const products = [LABEL, ID, 'true', ...[15, 16, 64].map(ofLength)];
    expect(valuesOf('product')).toStrictEqual(new Set(products));
  });
});
