import { type Language, PROGRAMS } from '../../console/src/integrate/programs/languages.js';
import { filled } from '../../console/src/integrate/programs/program.js';
import { readmeOf } from '../sdk/readme.js';

const KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
const VALUES = {
  service: 'https://licenses.studio.example',
  issuer: '0123456789abcdef01234567',
  current: KEY,
  next: { ...KEY, x: 'RgBAj-DKXegNqjfRUGJKENCiS7B8Y5shKVYGVjqi3YU' },
  product: 'ISSUER',
  folder: '/var/lib/drawing-board',
};

const LANGUAGES = Object.keys(PROGRAMS) as Language[];

describe.each(LANGUAGES)('The program that the console shows for %s', (language) => {
  const program = PROGRAMS[language];

  it('is that of the README of the SDK, and installed as it says', () => {
    const readme = readmeOf(language === 'cpp' ? 'c' : language);
    expect(readme).toContain(`\n${program.source}\`\`\`\n`);
    for (const line of program.install.lines) expect(readme).toContain(`${line}\n`);
  });

  it('contains the values of the account, each in its place', () => {
    const text = filled(program, VALUES);
    const { service, issuer, current, next, product, folder } = VALUES;
    for (const value of [service, issuer, current.x, next.x, folder]) {
      expect(text.split(value)).toHaveLength(2);
    }
    expect(text).toContain(`"${product}"`);
    expect(text).not.toMatch(/licenses\.example"|com\.example\.web-shop|\/var\/lib\/web-shop/);
  });
});
