import { once } from 'node:events';
import type http from 'node:http';
import net from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { NO_METRICS } from '../metrics/metrics.js';
import type { Config } from '../shared/config/config.js';
import { batchRequests, Connections, MAX_PIPELINED } from './capacity.js';
import { RejectionMetrics } from './rejection-metrics.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: licenses.example\r\n\r\n';

describe('Connections', () => {
  let server: FastifyInstance;
  let port: number;
  let served: number;
  let completeAll: () => void;
  const callers: net.Socket[] = [];

  beforeEach(async () => {
    served = 0;
    const config = { limits: {}, maxConnections: 2 } as unknown as Config;
    server = fastify({ forceCloseConnections: true });
    new Connections(config, new RejectionMetrics(NO_METRICS, config)).register(server);
    const untilAll = new Promise<void>((resolve) => (completeAll = resolve));
    server.get('/', async () => {
      served += 1;
      await untilAll;
      return 'done';
    });
    port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  afterEach(async () => {
    callers.splice(0).forEach((caller) => caller.destroy());
    completeAll();
    await server.close();
  });

  const connect = async () => {
    const caller = net.connect(port, '127.0.0.1').on('error', () => undefined);
    callers.push(caller);
    await once(caller, 'connect');
    return caller;
  };
  const untilServed = async (count: number) => {
    while (served < count) await new Promise(setImmediate);
  };

  it('stay within the maximum, and accept a new one once another closes', async () => {
    const [first] = [await connect(), await connect()];
    await once(await connect(), 'close');
    first.destroy();
    while (served === 0) {
      const caller = await connect();
      caller.write(REQUEST);
      await Promise.race([once(caller, 'close'), untilServed(1)]);
    }
  });

  it('are all accepted before further requests are handled (R10)', async () => {
    const listener = server.server;
    listener.maxConnections = 100;
    let accepted = 0;
    let acceptedBefore = 0;
    listener.on('connection', () => (accepted += 1));
    const [serve] = listener.listeners('request') as http.RequestListener[];
    listener.removeAllListeners('request').on('request', (request, response) => {
      acceptedBefore ||= accepted;
      serve!(request, response);
    });
    batchRequests(listener);
    const opened = Array.from({ length: 40 }, connect);
    for (const caller of callers) caller.write(REQUEST);
    await Promise.all(opened);
    await untilServed(40);
    expect(acceptedBefore).toBe(40);
  });

  it('can pipeline a few requests, and are closed after one more', async () => {
    const [patient, greedy] = [await connect(), await connect()];
    patient.write(REQUEST.repeat(MAX_PIPELINED));
    await untilServed(MAX_PIPELINED);
    greedy.write(REQUEST.repeat(100));
    await once(greedy, 'close');
    expect(served).toBe(2 * MAX_PIPELINED);

    completeAll();
    let text = '';
    patient.setEncoding('latin1').on('data', (part: string) => (text += part));
    while (text.split('HTTP/1.1 200 ').length <= MAX_PIPELINED) await once(patient, 'data');
  });
});
