import fs from 'node:fs';
import { type Language, PROGRAMS } from '../../console/src/integrate/programs/languages.js';
import { filled } from '../../console/src/integrate/programs/program.js';

const KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
const VALUES = {
  service: 'https://licenses.studio.example',
  issuer: '0123456789abcdef01234567',
  current: KEY,
  next: { ...KEY, x: 'RgBAj-DKXegNqjfRUGJKENCiS7B8Y5shKVYGVjqi3YU' },
  product: 'ISSUER',
  folder: '/var/lib/drawing-board',
};

/** Where the program of a language is: in the first block of its README that begins so, or in an example of its SDK. */
const SOURCES: Record<Language, { sdk: string; block?: RegExp; example?: string }> = {
  node: { sdk: 'node', block: /```js\n(import [^`]+)```/ },
  python: { sdk: 'python', block: /```python\n(import [^`]+)```/ },
  java: { sdk: 'java', block: /```java\n(import [^`]+)```/ },
  go: { sdk: 'go', block: /```go\n(package main[^`]+)```/ },
  rust: { sdk: 'rust', block: /```rust,no_run\n(use [^`]+)```/ },
  csharp: { sdk: 'csharp', example: 'WebShop.cs' },
  c: { sdk: 'c', example: 'web_shop.c' },
  cpp: { sdk: 'c', example: 'web_shop.cpp' },
};

const LANGUAGES = Object.keys(PROGRAMS) as Language[];

describe.each(LANGUAGES)('The program that the console shows for %s', (language) => {
  const program = PROGRAMS[language];
  const { sdk, block, example } = SOURCES[language];
  const readme = fs.readFileSync(`sdk/${sdk}/README.md`, 'utf8');

  it('is the one that the tests of the SDK run', () => {
    const source = block
      ? block.exec(readme)?.[1]
      : // Its first comment is about the environment, which has the values of the example.
        fs.readFileSync(`sdk/${sdk}/examples/${example}`, 'utf8').replace(/^(\/\/.*\n)+/, '');
    expect(program.source).toBe(source);
  });

  it('is installed as the README says', () => {
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
