import { fileURLToPath } from 'node:url';
import { Deployment, LIMITS_OFF } from '../lib/deployment.mjs';
import { load } from '../lib/load.mjs';
import { Program } from '../lib/program.mjs';
import { CERTIFIED, certifiedValidation, VALID, validation } from '../lib/requests.mjs';
import { comparable, ownHeaders, rawResponse } from '../lib/response.mjs';
import { compare } from '../lib/rounds.mjs';
import { summary } from '../lib/statistics.mjs';

const BARE = fileURLToPath(new URL('../limits/bare-fastify.mjs', import.meta.url));
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

/** On MongoDB, the bare Fastify reads the license of each request. */
async function measureValidation(extent, env, requestsFor, expected = VALID) {
  const size = { clients: 10, projects: 10, pending: 0, active: 10 };
  const deployment = await Deployment.fill({ ...extent, env }, (store) => store.add(size));
  const { keys } = deployment.filled;
  const [url] = await deployment.start();
  const { MONGODB_URI: uri } = deployment.env;
  const requests = { service: requestsFor(keys) };
  requests.limit = uri
    ? requestsFor(keys.map((key) => deployment.world.keyHashOf(key)))
    : requests.service;
  const bare = new Program([BARE]);
  const urls = { service: url, limit: await startBare(bare, uri, url, requests) };

  const cpu = { service: [], limit: [] };
  const generatorBusy = { service: [], limit: [] };
  const measure = (side, program) => async () => {
    const job = { url: urls[side], connections: CONNECTIONS, seconds: extent.seconds, expected };
    const before = program.cpu();
    const result = await load({ ...job, requests: requests[side] });
    cpu[side].push((program.cpu() - before) / result.count);
    generatorBusy[side].push(result.generatorBusy);
    return result.perSecond;
  };
  const [ofService, ofLimit] = [measure('service', deployment), measure('limit', bare)];
  const result = await compare(extent.rounds, ofService, ofLimit);
  await deployment.end();
  await bare.end();
  return { ...result, cpuMicroseconds: medians(cpu), generatorBusy: medians(generatorBusy) };
}

const medians = ({ service, limit }) => ({
  service: summary(service).median,
  limit: summary(limit).median,
});

/** Starts the bare server with the response of the service, and checks that it sends the same bytes. */
async function startBare(bare, uri, url, requests) {
  const response = await rawResponse(url, requests.service[0]);
  const body = JSON.parse(response.split('\r\n\r\n')[1]);
  bare.send({ uri, headers: ownHeaders(response), response: body });
  const bareUrl = await bare.message();
  const bareResponse = await rawResponse(bareUrl, requests.limit[0]);
  if (comparable(bareResponse) !== comparable(response)) {
    throw new Error(`The bare server responds\n${bareResponse}\nand the service\n${response}`);
  }
  return bareUrl;
}
