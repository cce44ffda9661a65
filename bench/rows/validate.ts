import type { Engine } from '../../test/engines.js';
import { exchange } from '../../test/http-exchange.js';
import { NO_LIMITS } from '../../test/no-limits.js';
import { type Program, withProgram } from '../../test/prove/processes.js';
import { activateAll, byMachine, EXPECTED, load, type Request } from '../load.js';
import { atLeast, compare, ratio, type Row } from './row.js';
import { fill, onStore, SECONDS } from './runs.js';

const LICENSES = 960;
/** With limits on: enough addresses to stay below them, and the licenses each one validates. */
const ADDRESSES = 2_000;
const KEYS_OF_ADDRESS = 10;

const WITH_LIMITS = {
  ...Object.fromEntries(Object.keys(NO_LIMITS).map((name) => [name, undefined])),
  TRUSTED_PROXIES: '127.0.0.1',
};

export const validate = (engine: Engine): Promise<Row[]> =>
  measure(engine, '', engine === 'SQLite' ? 0.5 : 1, {}, (keys) =>
    keys.map((key) => byMachine('validate', key)),
  );

export const validateWithLimits = (engine: Engine): Promise<Row[]> =>
  measure(engine, ', limits on', 0.42, WITH_LIMITS, (keys) =>
    Array.from({ length: ADDRESSES * KEYS_OF_ADDRESS }, (_, i) => {
      const address = Math.floor(i / KEYS_OF_ADDRESS);
      const from = `203.0.${Math.floor(address / 250)}.${address % 250}`;
      const request = byMachine('validate', keys[i % keys.length]!);
      return { ...request, headers: { ...request.headers, 'X-Forwarded-For': from } };
    }),
  );

/** Validations of active licenses per second, compared with bare Fastify, which reads a license each time on MongoDB. */
const measure = (
  engine: Engine,
  how: string,
  least: number,
  env: NodeJS.ProcessEnv,
  requestsFor: (keys: readonly string[]) => Request[],
): Promise<Row[]> =>
  onStore(engine, (operator, { MONGODB_URI: uri }) =>
    withProgram('bench/references/fastify.mjs', async (bare) => {
      const filled = await operator.start();
      const { keys } = await fill(filled, LICENSES);
      await activateAll(filled.url, keys);
      await filled.end('SIGTERM');
      const { url } = await operator.start(env);
      const requests = requestsFor(keys);
      const bareUrl = await startBare(bare, uri, url, requests[0]!);
      const perSecond = (url: string) => async () => {
        const job = { url, connections: 20, seconds: SECONDS, expected: EXPECTED.validate };
        return (await load({ ...job, requests })).perSecond;
      };
      const compared = await compare(perSecond(url), perSecond(bareUrl));
      const against = uri ? 'Fastify, a findOne each' : 'bare Fastify';
      return [ratio(`POST /validate, ${engine}${how}`, against, atLeast(least), compared)];
    }),
  );

/** Starts the bare server with the service's response. @throws Error if it responds differently */
async function startBare(bare: Program, uri: string | undefined, url: string, request: Request) {
  const respond = (to: string) => exchange(to + request.path, request);
  const response = await respond(url);
  const own = [...response.headers].filter(([name]) => !ADDED.includes(name));
  const content = JSON.parse(response.text) as object;
  const bareUrl = await bare.ask<string>({ uri, headers: Object.fromEntries(own), content });
  const [service, reference] = [response, await respond(bareUrl)].map(comparable);
  if (service !== reference) throw new Error(`${service}\nand of the bare server\n${reference}`);
  return bareUrl;
}

/** Headers that any server adds. */
const ADDED = ['x-request-id', 'content-length', 'date', 'connection', 'keep-alive'];

/** A response without the values that always differ. */
function comparable({ status, headers, text }: Awaited<ReturnType<typeof exchange>>): string {
  const differing = ['x-request-id', 'date', 'keep-alive'];
  const lines = [...headers].map(([name, value]) =>
    differing.includes(name) ? `${name} of ${value.length}` : `${name}: ${value}`,
  );
  return [status, ...lines.sort(), text].join('\n');
}
