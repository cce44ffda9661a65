import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { readmeOf } from './commands.js';
import { VECTORS } from './vector-driver.js';

const read = (file: string) => fs.readFileSync(file, 'utf8');
const { version, description, repository } = JSON.parse(read('sdk/node/package.json')) as {
  readonly version: string;
  readonly description: string;
  readonly repository: { readonly url: string };
};
const address = repository.url.replace(/^git\+|\.git$/g, '');

/** The text with the version in each manifest. */
const VERSIONS: Readonly<Record<string, string>> = {
  'sdk/python/pyproject.toml': `version = "${version}"`,
  'sdk/rust/Cargo.toml': `version = "${version}"`,
  'sdk/c/Cargo.toml': `version = "${version}"`,
  'sdk/c/CMakeLists.txt': `VERSION ${version} `,
  'sdk/csharp/LicenseManagementClient.csproj': `<Version>${version}</Version>`,
  'sdk/java/pom.xml': `<version>${version}</version>`,
  'sdk/Cargo.lock': `name = "license-management-client"\nversion = "${version}"`,
  'sdk/CHANGELOG.md': `\n## ${version}`,
  'sdk/node/README.md': `license-management-client-${version}.tgz`,
  'sdk/java/README.md': `<version>${version}</version>`,
  'sdk/go/README.md': `licenseclient@v${version}`,
};

const SDKS = ['c', 'csharp', 'go', 'java', 'node', 'python', 'rust'];

const REGISTRIES: readonly string[] = [
  'sdk/python/pyproject.toml',
  'sdk/rust/Cargo.toml',
  'sdk/csharp/LicenseManagementClient.csproj',
  'sdk/java/pom.xml',
];

describe('The packages of a release', () => {
  it.each(Object.entries(VERSIONS))('have one version: %s', (file, text) => {
    expect(read(file)).toContain(text);
  });

  it.each(REGISTRIES)('have the same description: %s', (file) => {
    const manifest = read(file);
    for (const text of [description, address, 'MIT']) expect(manifest).toContain(text);
  });

  it.each(SDKS)('contain the license: %s', (sdk) => {
    expect(read(`sdk/${sdk}/LICENSE`)).toBe(read('LICENSE'));
  });
});

const { errors } = JSON.parse(read('sdk/messages.json')) as { readonly errors: object };
const reached = VECTORS.flatMap(({ expected: { state, reason } }) => [state, reason ?? state]);
const stated = read('sdk/scenarios.json').matchAll(/"state": ?"(\w+)"/g);
/** The codes of errors, states and reasons. */
const CODES = [...Object.keys(errors), ...reached, ...[...stated].map(([, state]) => state!)];

const sectionsOf = (sdk: string) =>
  [...readmeOf(sdk).matchAll(/^## (?:Functions|(.+))$/gm)].map(([, name = 'Methods']) => name);

it.each(SDKS)('The README of %s has the same sections as the others', (sdk) => {
  expect(sectionsOf(sdk)).toEqual(sectionsOf('node'));
  expect(readmeOf(sdk)).not.toMatch(/README\.md#/);
});

it('The page about the SDKs has every code', () => {
  const page = read('docs/sdk/index.md');
  expect(CODES.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});

it.each(['vectors', 'scenarios'])('sdk/%s.json is what its generator writes', (name) => {
  const written = execFileSync(process.execPath, [`sdk/${name}/generate.mjs`], {
    encoding: 'utf8',
  });
  expect(written).toBe(read(`sdk/${name}.json`));
});

it('S15: the vectors reach every state and reason of a certificate', () => {
  const reached = new Set(VECTORS.flatMap(({ expected }) => [expected.state, expected.reason]));
  expect([...reached].sort()).toEqual(
    [
      ...['valid', null, 'damaged', 'format', 'header', 'key', 'signature', 'issuer', 'claims'],
      ...['update_not_covered', 'updates_ended'],
      ...['other_product', 'product', 'other_machine', 'machine', 'revoked', 'expired'],
      ...['suspended', 'lease_ended', 'rejected', 'clock', 'issued_in_future', 'clock_set_back'],
      ...['license_expired', 'ended', 'certificate_ended'],
    ].sort(),
  );
});
