import fs from 'node:fs';

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
