import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { IsEmailAddress, normalEmail } from './text.decorators.js';

class Probe {
  @IsEmailAddress()
  email!: string;
}

/** The address in its stored form; undefined if it is rejected. */
function stored(email: string): string | undefined {
  const probe = plainToInstance(Probe, { email });
  return validateSync(probe).length === 0 ? probe.email : undefined;
}

const domainOf = (length: number) => `${'d'.repeat(60)}.`.repeat(4).slice(0, length - 5) + '.test';
const longest = `${'l'.repeat(64)}@${domainOf(189)}`;

describe('IsEmailAddress', () => {
  it.each([
    ['office@acme.test', 'office@acme.test'],
    ['  Office@ACME.Test\n', 'office@acme.test'],
    ['first.last+tag@sub.acme.test', 'first.last+tag@sub.acme.test'],
    ['BÜRO@acme.test', 'büro@acme.test'],
    [longest, longest],
  ])('stores %j as %j', (email, result) => {
    expect(stored(email)).toBe(result);
    expect(normalEmail(email)).toBe(result);
  });

  it.each([
    '',
    'office',
    'office@',
    '@acme.test',
    'office@acme',
    'office@acme..test',
    'of fice@acme.test',
    'office@acme.test, other@acme.test',
    'Office <office@acme.test>',
    'office@acme.test\0',
    'office@acme.test\r\nBcc: all@acme.test',
    `${'l'.repeat(65)}@acme.test`,
    `${'l'.repeat(64)}@${domainOf(190)}`,
  ])('rejects %j', (email) => {
    expect(stored(email)).toBeUndefined();
  });

  it('is tested with an address of the maximum length of RFC 5321', () => {
    expect(longest).toHaveLength(254);
  });
});
