import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
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
  ' LIC-1 ',
  5,
  true,
  {},
  [],
  ['LIC-1'],
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
];
const OTHERS: Record<string, unknown>[] = [
  {},
  { productName: 'Shop' },
  { constructor: 1 },
  { toString: 'x' },
  { status: 1 },
];

describe('a compiled body reader', () => {
  const bodies = KEYS.flatMap((key) =>
    FINGERPRINTS.flatMap((fingerprint) =>
      OTHERS.map((others) => ({
        ...others,
        ...(key !== undefined && { key }),
        ...(fingerprint !== undefined && { fingerprint }),
      })),
    ),
  );

  it(`reads ${bodies.length} bodies exactly as class-validator does`, async () => {
    let accepted = 0;
    for (const body of bodies) {
      const expected = await explained(structuredClone(body));
      if (expected) accepted += 1;
      expect({ body, read: read(body) }).toStrictEqual({ body, read: expected });
    }
    expect(accepted).toBeGreaterThan(50);
    expect(accepted).toBeLessThan(bodies.length / 2);
  });

  it('creates an instance of the class, and does not change the body', () => {
    const body = Object.freeze({ key: ' LIC-1 ', fingerprint: ` ${'x'.repeat(16)} ` });
    expect(read(body)).toBeInstanceOf(LicenseKeyDto);
  });

  it('exists only for classes with @Compiled()', () => {
    class Plain {}
    expect(readerOf(Plain)).toBeUndefined();
  });
});
