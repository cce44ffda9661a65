import fs from 'node:fs';
import { SourceMap, type SourceMapping, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { fetchWhole } from '../fetch-whole.js';
import { Operator } from './operator.js';
import { RunningService } from './running-service.js';

/** Packages that the bundle loads from node_modules, as docs/running.md lists them. */
const OUTSIDE = ['@node-rs/argon2', '@photostructure/sqlite', 'swagger-ui-dist'];

describe('The bundle', () => {
  const operator = new Operator();
  let service: RunningService;

  beforeAll(async () => {
    fs.cpSync('dist', operator.path('app/dist'), { recursive: true });
    fs.copyFileSync('package.json', operator.path('app/package.json'));
    for (const name of OUTSIDE) {
      const link = operator.path('app/node_modules', name);
      fs.mkdirSync(path.dirname(link), { recursive: true });
      fs.symlinkSync(path.resolve('node_modules', name), link);
    }
    service = await RunningService.from(operator.begin(operator.path('app/dist/main.js'), []));
  });
  afterAll(() => operator.leave());

  it('serves with nothing beside it but the packages with binaries and the files of Swagger UI', async () => {
    for (const address of ['/health/ready', '/console', '/docs', '/docs/swagger-ui.css']) {
      const { status } = await fetchWhole(service.url + address);
      expect([address, status]).toEqual([address, 200]);
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
