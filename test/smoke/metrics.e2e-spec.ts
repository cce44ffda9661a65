import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { newStore, SECRETS } from '../engines.js';
import { Exposition } from '../exposition.js';
import { exchange } from '../http-exchange.js';
import { freePort } from '../free-port.js';
import { type RunningService, useOperator } from './operator.js';

const RULES = ['deploy/grafana-dashboard.json', 'deploy/prometheus-alerts.yaml'];

const withMongod = process.env.TEST_MONGODB_URI ? it : it.skip;

describe('The metrics of the built service', () => {
  const operator = useOperator();
  let service: RunningService;
  let metricsUrl: string;

  const start = async (env: NodeJS.ProcessEnv) => {
    const METRICS_PORT = String(await freePort('127.0.0.1'));
    const started = await operator.start({ METRICS_PORT, ...env });
    return { started, url: `http://127.0.0.1:${METRICS_PORT}/metrics` };
  };
  const read = async (url: string) => new Exposition((await exchange(url)).text);

  beforeAll(async () => {
    ({ started: service, url: metricsUrl } = await start({ SHUTDOWN_DRAIN: '1' }));
  });

  it('are at the address that its banner and its log say, and not at that of the API', async () => {
    expect(service.stderr).toContain(`\n  metrics         ${metricsUrl}\n`);
    expect((await service.get('/metrics')).status).toBe(404);
    while (!service.stdout.includes('listening')) await service.get('/health/live');
    expect(service.stdout).toContain(`"metrics":"${metricsUrl}"`);
  });

  withMongod(
    'have every name that the dashboard, the alerts and the documentation use',
    async () => {
      const { url } = await start({ ...newStore('MongoDB'), ...SECRETS });
      const onSqlite = await read(metricsUrl);
      const onMongo = await read(url);
      const exported = new Set([...onSqlite.names, ...onMongo.names]);

      for (const file of RULES) {
        const used = fs.readFileSync(file, 'utf8').match(/\b(license_service|nodejs|process)_\w+/g);
        expect(used?.length).toBeGreaterThan(5);
        expect(used?.filter((name) => !exported.has(name))).toEqual([]);
      }
      const documented = fs
        .readFileSync('docs/monitoring.md', 'utf8')
        .matchAll(/^\| `(license_service_\w+)`/gm);
      const own = [...onSqlite.metrics, ...onMongo.metrics].filter((name) =>
        name.startsWith('license_'),
      );
      expect([...documented].map(([, name]) => name).sort()).toEqual([...new Set(own)].sort());
    },
  );

  it('have every label value that the dashboard and the alerts name', async () => {
    await service.post('/validate', {});
    const { text } = await read(metricsUrl);

    const named = RULES.flatMap((file) => [
      ...fs.readFileSync(file, 'utf8').matchAll(/\b(\w+)=~?\\?"([\w/|]+)\\?"/g),
    ]);
    const pairs = named.flatMap(([, label, values]) =>
      values!.split('|').map((value) => `${label}="${value}"`),
    );
    expect(pairs).toEqual(expect.arrayContaining(['route="/validate"', 'reason="capacity"']));
    expect(pairs.filter((pair) => !text.includes(pair))).toEqual([]);
  });

  it('are served while the service drains, and an idle connection to them does not delay its end', async () => {
    const { hostname, port } = new URL(metricsUrl);
    const idle = net.connect(Number(port), hostname).resume();
    await once(idle, 'connect');
    const ending = service.end('SIGTERM');
    let ready;
    do ready = await service.get('/health/ready');
    while (ready.status === 200);
    expect((await exchange(metricsUrl)).status).toBe(200);

    expect((await ending).code).toBe(0);
    await expect(exchange(metricsUrl)).rejects.toThrow(/ECONN/);
  });
});
