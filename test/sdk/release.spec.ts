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

/** The texts in which each manifest has the version. */
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

  it.each(REGISTRIES)('are described alike: %s', (file) => {
    const manifest = read(file);
    for (const text of [description, address, 'MIT']) expect(manifest).toContain(text);
  });

  it.each(['c', 'csharp', 'go', 'java', 'node', 'python', 'rust'])(
    'contain the license: %s',
    (folder) => {
      expect(read(`sdk/${folder}/LICENSE`)).toBe(read('LICENSE'));
    },
  );
});

const NODE = readmeOf('node');
const OTHERS = ['python', 'go', 'java', 'rust', 'c', 'csharp'] as const;

describe.each(OTHERS)('The README of %s', (sdk) => {
  const readme = readmeOf(sdk);

  it('has the sections of every README, in their order', () => {
    const methods = sdk === 'c' ? 'Functions' : 'Methods';
    const sections = sectionsOf(NODE).map((name) => (name === 'Methods' ? methods : name));
    expect(sectionsOf(readme)).toEqual(sections);
  });

  it('has every state, reason and code of an error', () => {
    expect(statesOf(readme)).toEqual(statesOf(NODE));
    expect(codesOf(readme)).toEqual(expect.arrayContaining(codesOf(NODE)));
  });

  it('links to no other README for what it says', () => {
    expect(readme).not.toMatch(/README\.md#/);
  });
});

function sectionsOf(readme: string): string[] {
  return [...readme.matchAll(/^## (.+)$/gm)].map(([, name]) => name!);
}

/** The first column of the table of states. */
function statesOf(readme: string): string[] {
  const [, table] = /\n\| `state` [^\n]+\n\| -[^\n]+\n((?:\|[^\n]+\n)+)/.exec(readme) ?? [];
  return [...(table ?? '').matchAll(/^\| (`\w+`)/gm)].map(([, state]) => state!);
}

/** The reasons and the codes of errors, which follow the table of states. */
function codesOf(readme: string): string[] {
  const [, text] =
    /is a stable code that says more,[^]+?\n\n([^]+?)\n\nOnly the service's/.exec(readme) ?? [];
  return text?.match(/`([a-z_]+|[A-Z_]+)`/g) ?? [];
}

it.each(['vectors', 'scenarios'])('sdk/%s.json is what its generator writes', (name) => {
  const written = execFileSync(process.execPath, [`sdk/${name}/generate.mjs`], {
    encoding: 'utf8',
  });
  expect(written).toBe(fs.readFileSync(`sdk/${name}.json`, 'utf8'));
});

it('S15: the vectors reach every state and reason of a certificate', () => {
  const reached = new Set(VECTORS.flatMap(({ expected }) => [expected.state, expected.reason]));
  expect([...reached].sort()).toEqual(
    [
      ...['valid', null, 'damaged', 'format', 'header', 'key', 'signature', 'issuer', 'claims'],
      ...['other_product', 'product', 'other_machine', 'machine', 'revoked', 'expired'],
      ...['suspended', 'lease_ended', 'rejected', 'clock', 'issued_in_future', 'clock_set_back'],
      ...['license_expired', 'ended', 'certificate_ended'],
    ].sort(),
  );
});
