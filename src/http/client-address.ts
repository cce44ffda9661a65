import { isIP, isIPv4 } from 'node:net';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
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
  // Fast path: most addresses are plain IPv4.
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
