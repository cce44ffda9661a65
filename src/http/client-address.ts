import { isIP, isIPv4 } from 'node:net';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** {@link addressOf} the request, once it is known: limits and the log use it several times. */
    clientAddress: string | undefined;
  }
}

/**
 * The client address that rate limits count by, as {@link networkOf} has it. Some proxies append the port, which would
 * give each connection a limit of its own.
 */
export function addressOf(request: FastifyRequest): string {
  return (request.clientAddress ??= resolveAddress(request));
}

function resolveAddress(request: FastifyRequest): string {
  const { ip } = request;
  // Most addresses are plain ones.
  if (isIPv4(ip)) return ip;
  const text = ip.replace(/^\[(.+)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  // X-Forwarded-For may hold any text.
  return networkOf(isIP(text) ? text : request.socket.remoteAddress!);
}

/**
 * What counts as one address: an IPv4 address, the IPv4 address that an IPv6 one embeds (mapped, by NAT64 of RFC 6052 and
 * RFC 8215, by 6to4 of RFC 3056), or the IPv6 /64.
 */
function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  const ip = ipaddr.IPv6.parse(address.replace(/%.*/, ''));
  const bytes = ip.toByteArray();
  const range = ip.range();
  if (range === 'loopback') return ip.toString();
  if (range === 'ipv4Mapped') return bytes.slice(12).join('.');
  if (range === '6to4') return bytes.slice(2, 6).join('.');
  if (range === 'rfc6052') return ofNat64(bytes).join('.');
  return `${new ipaddr.IPv6([...ip.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

/** {@link addressOf} the request, as a parameter. */
export const ClientAddress = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  addressOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The prefix has 96 bits; or 48, and then the last bytes are 0. */
function ofNat64(bytes: number[]): number[] {
  const endsInZeros = bytes.slice(12).every((byte) => byte === 0);
  return endsInZeros ? [...bytes.slice(6, 8), ...bytes.slice(9, 11)] : bytes.slice(12);
}
