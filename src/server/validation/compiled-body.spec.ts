import { ValidationPipe } from '@nestjs/common';
import { casesInScope } from '../../../test/scope.js';
import { LicenseKeyDto } from '../../activation/dto/license-key.dto.js';
import { readerOf } from './compiled-body.js';

const interpreted = new ValidationPipe({ whitelist: true, transform: true });
const explained = (body: object): Promise<object | undefined> =>
  interpreted.transform(body, { type: 'body', metatype: LicenseKeyDto }).catch(() => undefined);
const read = (body: object) => readerOf(LicenseKeyDto)!(body);

const KEYS = [
  undefined,
  null,
  '',
  ' ',
  'LIC-1',
  5,
  {},
  [],
  { $ne: null },
  '\u0000',
  '\ud800',
  'x'.repeat(10_000),
];
const FINGERPRINTS = [
  ...KEYS,
  'x'.repeat(15),
  'x'.repeat(16),
  ` ${'x'.repeat(15)} `,
  ` ${'x'.repeat(16)} `,
  '🚀'.repeat(16),
  'x'.repeat(256),
  'x'.repeat(257),
  `${'x'.repeat(20)}\u0007`,
  `${'x'.repeat(20)}\uffff`,
  `${'x'.repeat(20)} ${'x'.repeat(20)}`,
  `${'x'.repeat(20)}é`,
  `\ufeff${'x'.repeat(20)}`,
  ` ${'x'.repeat(256)}`,
];
const CERTIFICATES = [undefined, true, false, null, 'true'];
const PRODUCTS = [
  undefined,
  null,
  '',
  ' ',
  'com.example.Web-Shop',
  '665f1c2ab7e4a90012345678',
  'x'.repeat(64),
  'x'.repeat(65),
  'shop-',
  'shop\n',
  5,
  ['shop'],
];
const OTHERS: Record<string, unknown>[] = [
  {},
  { productName: 'Shop' },
  { constructor: 1 },
  { status: 1 },
];

/** A body with these fields, without those that are undefined. */
const bodyOf = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

describe('a compiled body reader', () => {
  const bodies = [
    ...KEYS.flatMap((key) =>
      FINGERPRINTS.flatMap((fingerprint) =>
        OTHERS.map((others) => ({ ...others, ...bodyOf({ key, fingerprint }) })),
      ),
    ),
    ...CERTIFICATES.flatMap((certificate) =>
      FINGERPRINTS.flatMap((fingerprint) =>
        PRODUCTS.map((product) => bodyOf({ key: 'LIC-1', certificate, fingerprint, product })),
      ),
    ),
  ];

  const compared = casesInScope(bodies);

  it(`reads ${compared.length} bodies exactly as class-validator does`, async () => {
    let accepted = 0;
    for (const body of compared) {
      const expected = await explained(structuredClone(body));
      if (expected) accepted += 1;
      expect({ body, read: read(body) }).toStrictEqual({ body, read: expected });
    }
    expect(accepted).toBeGreaterThan(compared.length / 54);
    expect(accepted).toBeLessThan(compared.length / 2);
  });

  it('accepts a certificate for a fingerprint of printable ASCII and a product alone', () => {
    const certified = bodies.filter((body) => read(body) && 'certificate' in body);
    const certificates = certified as { fingerprint: string; product: string }[];
    expect(new Set(certificates.map(({ fingerprint }) => fingerprint))).toStrictEqual(
      new Set(['x'.repeat(16), 'x'.repeat(256), `${'x'.repeat(20)} ${'x'.repeat(20)}`]),
    );
    expect(new Set(certificates.map(({ product }) => product))).toStrictEqual(
      new Set(['com.example.Web-Shop', '665f1c2ab7e4a90012345678', 'x'.repeat(64)]),
    );
  });
});
