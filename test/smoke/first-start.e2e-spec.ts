import fs from 'node:fs';
import { fetchWhole } from '../fetch-whole.js';
import { Operator } from './operator.js';
import type { RunningService } from './running-service.js';

describe('The first start, in an empty folder and without any configuration', () => {
  const operator = new Operator();
  let service: RunningService;

  beforeAll(async () => {
    service = await operator.start();
  });
  afterAll(() => operator.leave());

  it('serves, and prints the addresses of the service and its documentation, and the folder of its data', async () => {
    const [, documentation] = /documentation +(\S+)\n/.exec(service.stderr) ?? [];
    const [, folder] = /data +SQLite, in (.+)\n/.exec(service.stderr) ?? [];

    expect((await service.get('/health/ready')).status).toBe(200);
    expect(documentation).toBe(`${service.url}/docs`);
    expect((await fetchWhole(String(documentation))).status).toBe(200);
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
});
