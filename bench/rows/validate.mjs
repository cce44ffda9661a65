import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { comparable, ownHeaders, rawResponse } from '../lib/response.mjs';
import { load } from '../lib/load.mjs';
import { Program } from '../lib/program.mjs';
import { CERTIFIED, certifiedValidation, VALID, validation } from '../lib/requests.mjs';
import { compare } from '../lib/rounds.mjs';
import { LIMITS_OFF, Service } from '../lib/service.mjs';
import { fill } from '../lib/fill.mjs';
import { summary } from '../lib/statistics.mjs';

export const BARE = fileURLToPath(new URL('../limits/bare-fastify.mjs', import.meta.url));
const CONNECTIONS = 20;

/** With limits on: enough addresses that none reaches its limit in a run. */
const ADDRESSES = 2000;
/** Licenses that an address validates. */
const KEYS_OF_ADDRESS = 10;

/** Validations of active keys, without limits, against a bare Fastify with the same response. */
export function validate(extent) {
  return measureValidation(extent, LIMITS_OFF, (keys) => keys.map(validation));
}

/** The same with the default limits, from many addresses behind a proxy. */
export function validateWithLimits(extent) {
  return measureValidation(extent, { TRUSTED_PROXIES: '127.0.0.1' }, (keys) =>
    Array.from({ length: ADDRESSES * KEYS_OF_ADDRESS }, (_, i) => {
      const address = Math.floor(i / KEYS_OF_ADDRESS);
      const ip = `203.0.${Math.floor(address / 250)}.${address % 250}`;
      const request = validation(keys[i % keys.length]);
      return { ...request, headers: { ...request.headers, 'x-forwarded-for': ip } };
    }),
  );
}

/** Validations with a certificate each, against a bare Fastify that signs as many bytes. */
export function validateWithCertificate(extent) {
  return measureValidation(extent, LIMITS_OFF, (keys) => keys.map(certifiedValidation), CERTIFIED);
}

async function measureValidation({ folder, rounds, seconds }, env, requestsFor, expected = VALID) {
  const size = { clients: 10, projects: 10, pending: 0, active: 10 };
  const { accounts } = await fill({ DATA_DIR: path.join(folder, 'data') }, 1, size);
  const [{ keys }] = accounts;
  const requests = requestsFor(keys);
  const service = new Service(folder, env);
  const bare = new Program([BARE]);
  const url = await service.listening();
  const bareUrl = await startBare(bare, url, requests[0]);

  const cpu = { service: [], limit: [] };
  const generatorBusy = { service: [], limit: [] };
  const measure = async (name, program, address) => {
    const job = { url: address, connections: CONNECTIONS, seconds, requests, expected };
    const before = program.cpu();
    const result = await load(job);
    cpu[name].push((program.cpu() - before) / result.count);
    generatorBusy[name].push(result.generatorBusy);
    return result.perSecond;
  };
  const ofService = () => measure('service', service, url);
  const ofLimit = () => measure('limit', bare, bareUrl);
  const result = await compare(rounds, ofService, ofLimit);
  await service.end();
  await bare.end();
  return {
    ...result,
    cpuMicroseconds: medians(cpu),
    generatorBusy: medians(generatorBusy),
  };
}

const medians = ({ service, limit }) => ({
  service: summary(service).median,
  limit: summary(limit).median,
});

/**
 * Starts the bare server with the response of the service, and checks that it sends the same bytes.
 *
 * @param {string} [uri] of the database in which the bare server finds the license of `own` in place of `request`
 */
export async function startBare(bare, url, request, { uri, own = request } = {}) {
  const response = await rawResponse(url, request);
  const body = JSON.parse(response.split('\r\n\r\n')[1]);
  bare.send({ uri, headers: ownHeaders(response), response: body });
  const bareUrl = await bare.message();
  const bareResponse = await rawResponse(bareUrl, own);
  if (comparable(bareResponse) !== comparable(response)) {
    throw new Error(`The bare server responds\n${bareResponse}\nand the service\n${response}`);
  }
  return bareUrl;
}
