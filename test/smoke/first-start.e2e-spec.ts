import fs from 'node:fs';
import { SourceMap, type SourceMapping, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { VERSION } from '../../src/shared/version.js';
import { exchange } from '../http-exchange.js';
import { expectOneSentence, RunningService, useOperator } from './operator.js';

const ARGON2 = '@node-rs/argon2';

/** Packages that the bundle loads from node_modules. */
const OUTSIDE = [
  ...[ARGON2, '@photostructure/sqlite', 'swagger-ui-dist'],
  ...['class-transformer', 'class-validator', 'mongoose'],
];

/** Copies the bundle to a folder, and links these packages. */
function install(folder: string, packages: readonly string[]): void {
  fs.cpSync('dist', path.join(folder, 'dist'), { recursive: true });
  fs.copyFileSync('package.json', path.join(folder, 'package.json'));
  for (const name of packages) {
    const link = path.join(folder, 'node_modules', name);
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.symlinkSync(path.resolve('node_modules', name), link);
  }
}

describe('The first start of the bundle, in an empty folder without configuration', () => {
  const [operator, installation] = [useOperator(), useOperator()];
  let service: RunningService;

  beforeAll(async () => {
    install(installation.folder, OUTSIDE);
    service = await RunningService.from(operator.begin(installation.path('dist/main.js'), []));
  });

  it('needs only the packages left out of the bundle, and prints the addresses of the service and its documentation, and its data folder', async () => {
    expect(service.stderr).toContain(`  documentation   ${service.url}/docs\n`);
    expect(service.stderr).toContain(`SQLite in ${operator.path('data')}\n`);
    for (const path of ['/health/ready', '/docs', '/docs/swagger-ui.css']) {
      expect([path, (await exchange(service.url + path)).status]).toEqual([path, 200]);
    }
    expect(fs.readdirSync(operator.folder)).toEqual(['data']);
  });

  it('prints the address of the console, and serves its page and all files it refers to', async () => {
    expect(service.stderr).toContain(`  console         ${service.url}/console\n`);
    const page = await exchange(`${service.url}/console`);
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!);
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const { status, headers } = await exchange(new URL(file, service.url).href);
      expect([file, status]).toEqual([file, 200]);
      expect(headers.get('cache-control')).toMatch(/immutable/);
    }
  });

  it('logs only JSON lines, including its address, and makes its secrets readable only by their owner', () => {
    const lines = service.stdout.trimEnd().split('\n');
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);

    const listening = { msg: 'listening', version: VERSION, address: service.url };
    expect(records).toContainEqual(expect.objectContaining(listening));
    for (const name of ['jwt-secret', 'license-secret']) {
      expect(fs.statSync(operator.path('data', name)).mode & 0o777).toBe(0o600);
    }
  });

  it('keeps class names and field types: its API document equals the one of the source', async () => {
    const { text } = await exchange(`${service.url}/docs-json`);

    expect(JSON.parse(text)).toEqual(JSON.parse(fs.readFileSync('openapi.json', 'utf8')));
  });

  it('has a source map that points to the source line', () => {
    const line = /class AppModule\b/;
    const bundle = fs.readFileSync('dist/serve.js', 'utf8');
    const map = JSON.parse(fs.readFileSync('dist/serve.js.map', 'utf8')) as SourceMapPayload;
    const before = bundle.slice(0, bundle.search(line)).split('\n');
    const found = new SourceMap(map).findEntry(
      before.length - 1,
      before.at(-1)!.length,
    ) as SourceMapping;

    const source = fs.readFileSync(path.resolve('dist', found.originalSource), 'utf8');
    expect(source.split('\n')[found.originalLine]).toMatch(line);
  });
});

describe('An installation without', () => {
  describe.each([
    ['any package', [], ''],
    ['the native part of a package', OUTSIDE.filter((name) => name !== ARGON2), ARGON2],
  ])('%s', (_case, packages, missing) => {
    const installation = useOperator();

    beforeAll(() => {
      install(installation.folder, packages);
      // Its native part is a separate package, which npm may omit.
      if (missing === ARGON2) {
        const copy = installation.path('node_modules', ARGON2);
        fs.cpSync(path.join('node_modules', ARGON2), copy, { recursive: true });
      }
    });

    it.each([
      ['main.js'],
      ['cli.js', 'start'],
      ['cli.js', 'user', 'list'],
      ['cli.js', 'account', 'import', 'file'],
    ])('says which one is missing, and how to install it: %s %s %s', async (name, ...args) => {
      const { ended } = installation.begin(installation.path('dist', name), args);
      expectOneSentence(await ended, `needs ${missing}`, 'which is missing', 'npm ci');
    });
  });
});
