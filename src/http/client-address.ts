import { isIP, isIPv4 } from 'node:net';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** {@link addressOf} the request, cached because limits and the log use it several times. */
    clientAddress: string | undefined;
  }
}

/**
 * The client address that rate limits count by, shortened by {@link networkOf}. Some proxies append the port, which would
 * give each connection its own limit.
 */
export function addressOf(request: FastifyRequest): string {
  return (request.clientAddress ??= resolveAddress(request));
}

function resolveAddress(request: FastifyRequest): string {
  const { ip } = request;
  // A fast path, because most addresses are plain IPv4.
  if (isIPv4(ip)) return ip;
  const text = ip.replace(/^\[(.+)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  // X-Forwarded-For can contain any text.
  return networkOf(isIP(text) ? text : request.socket.remoteAddress!);
}

/** The unit that limits count by: an IPv4 address, including one mapped to IPv6, or an IPv6 /64. */
function networkOf(address: string): string {
  const ip = ipaddr.process(address.replace(/%.*/, ''));
  if (ip instanceof ipaddr.IPv4 || ip.range() === 'loopback') return ip.toString();
  return `${new ipaddr.IPv6([...ip.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

/** Injects {@link addressOf} the request. */
export const ClientAddress = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  addressOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

const PRIVATE_RANGES = ['private', 'loopback', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'];

/**
 * Warns once if X-Forwarded-For comes from an untrusted private address, which is probably a proxy whose
 * clients then share one rate limit.
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
