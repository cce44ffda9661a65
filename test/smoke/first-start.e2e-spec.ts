import fs from 'node:fs';
import { SourceMap, type SourceMapping, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { fetchWhole } from '../fetch-whole.js';
import { Operator } from './operator.js';
import { RunningService } from './running-service.js';

/** Packages that the bundle loads from node_modules, as docs/running.md lists them. */
const OUTSIDE = ['@node-rs/argon2', '@photostructure/sqlite', 'swagger-ui-dist'];

describe('The first start of the bundle, in an empty folder and without any configuration', () => {
  const [operator, installation] = [new Operator(), new Operator()];
  let service: RunningService;

  beforeAll(async () => {
    fs.cpSync('dist', installation.path('dist'), { recursive: true });
    fs.copyFileSync('package.json', installation.path('package.json'));
    for (const name of OUTSIDE) {
      const link = installation.path('node_modules', name);
      fs.mkdirSync(path.dirname(link), { recursive: true });
      fs.symlinkSync(path.resolve('node_modules', name), link);
    }
    service = await RunningService.from(operator.begin(installation.path('dist/main.js'), []));
  });
  afterAll(() => Promise.all([operator.leave(), installation.leave()]));

  it('serves with nothing beside it but the packages with binaries and the files of Swagger UI, and prints the addresses of the service and its documentation, and the folder of its data', async () => {
    const [, documentation] = /documentation +(\S+)\n/.exec(service.stderr) ?? [];
    const [, folder] = /data +SQLite, in (.+)\n/.exec(service.stderr) ?? [];

    expect((await service.get('/health/ready')).status).toBe(200);
    expect(documentation).toBe(`${service.url}/docs`);
    for (const address of [String(documentation), `${service.url}/docs/swagger-ui.css`]) {
      expect((await fetchWhole(address)).status).toBe(200);
    }
    expect(folder).toBe(operator.path('data'));
    expect(fs.readdirSync(operator.folder)).toEqual(['data']);
  });

  it('prints the address of the console, whose page and every file that it names are served', async () => {
    const [, address] = /console +(\S+)\n/.exec(service.stderr) ?? [];
    const page = await fetchWhole(String(address));
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!);

    expect(address).toBe(`${service.url}/console`);
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const { status, headers } = await fetchWhole(new URL(file, service.url).href);
      expect([file, status]).toEqual([file, 200]);
      expect(headers.get('cache-control')).toMatch(/immutable/);
    }
  });

  it('logs only JSON lines, one of them with its address, and keeps its secrets to the owner', () => {
    const lines = service.stdout.trimEnd().split('\n');
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);

    const listening = { msg: 'listening', address: service.url };
    expect(records).toContainEqual(expect.objectContaining(listening));
    for (const name of ['jwt-secret', 'license-secret']) {
      const file = operator.path('data', name);
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
      expect(fs.readFileSync(file, 'utf8')).toMatch(/^[\w-]{64}\n$/);
    }
  });

  it('keeps the names of classes, and the types of their fields: its API document is that of the source', async () => {
    const { text } = await fetchWhole(`${service.url}/docs-json`);

    expect(JSON.parse(text)).toEqual(JSON.parse(fs.readFileSync('openapi.json', 'utf8')));
  });

  it('has a source map that leads to the line of the source', () => {
    const line = /^.*class AppModule\b/m;
    const bundle = fs.readFileSync('dist/main.js', 'utf8');
    const map = JSON.parse(fs.readFileSync('dist/main.js.map', 'utf8')) as SourceMapPayload;
    const [before] = bundle.split(line);
    const found = new SourceMap(map).findEntry(before!.split('\n').length - 1, 0) as SourceMapping;

    const source = fs.readFileSync(path.resolve('dist', found.originalSource), 'utf8');
    expect(source.split('\n')[found.originalLine]).toMatch(line);
  });
});
