import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';

const PRIVATE_RANGES = ['private', 'loopback', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'];

/**
 * Warns once if X-Forwarded-For comes from an untrusted private address: probably a proxy in front of this
 * service whose clients then share one rate limit.
 */
export function warnOfUntrustedProxy(fastify: FastifyInstance, trustedProxies: readonly string[]) {
  let warned = false;
  fastify.addHook('onRequest', (request, _reply, done) => {
    const peer = request.socket.remoteAddress ?? '';
    const isForwarded = request.headers['x-forwarded-for'] !== undefined;
    if (!warned && isForwarded && isPrivate(peer) && !isIn(trustedProxies, peer)) {
      warned = true;
      request.log.warn(
        `X-Forwarded-For from ${peer} is not trusted, so everyone behind it shares one rate limit. ` +
          `If it is your proxy, set TRUSTED_PROXIES=${peer}.`,
      );
    }
    done();
  });
}

function isPrivate(address: string): boolean {
  return ipaddr.isValid(address) && PRIVATE_RANGES.includes(ipaddr.process(address).range());
}

/** Whether an address equals one of these addresses or lies within one of these networks. */
export function isIn(networks: readonly string[], address: string): boolean {
  const ip = ipaddr.process(address);
  return networks.some((network) => {
    const [range, bits] = network.includes('/')
      ? ipaddr.parseCIDR(network)
      : ([ipaddr.parse(network), undefined] as const);
    return ip.kind() === range.kind() && ip.match(range, bits ?? range.toByteArray().length * 8);
  });
}
