import { isIP, isIPv4 } from 'node:net';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import { embeddedIpv4 } from './embedded-ipv4.js';

/**
 * The address by which limits count a request: the caller's IP, an IPv6 one as its /64, or as the IPv4
 * address that it embeds. Some proxies add the port, which would give each connection a limit of its own.
 */
export function addressOf(request: FastifyRequest): string {
  const { ip } = request;
  // By far the most are plain ones, and every request asks.
  if (isIPv4(ip)) return ip;
  const text = ip.replace(/^\[(.+)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  // X-Forwarded-For may hold any text.
  const address = isIP(text) ? text : (request.socket.remoteAddress ?? '');
  return embeddedIpv4(address) ?? normalizeIp(address);
}

/** {@link addressOf} the request, as a parameter. */
export const ClientAddress = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  addressOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
