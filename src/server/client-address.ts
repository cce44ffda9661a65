import { isIP, isIPv4 } from 'node:net';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Matches every text form of the networks below; other IPv6 addresses need not be parsed. */
const MAY_EMBED = /^(0{0,2}64:ff9b|2002):/i;

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const LOCAL_NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16');

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
  return networkOf(isIP(text) ? text : (request.socket.remoteAddress ?? ''));
}

/** What counts as one address: an IPv4 address, the IPv4 address that an IPv6 one embeds, or the IPv6 /64. */
export function networkOf(address: string): string {
  return isIPv4(address) ? address : (embeddedIpv4(address) ?? normalizeIp(address));
}

/** {@link addressOf} the request, as a parameter. */
export const ClientAddress = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  addressOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/**
 * The IPv4 address that an IPv6 address embeds by NAT64 (RFC 6052, RFC 8215) or 6to4 (RFC 3056), or undefined.
 */
function embeddedIpv4(ip: string): string | undefined {
  if (!MAY_EMBED.test(ip) || !ipaddr.IPv6.isValid(ip)) return undefined;
  const address = ipaddr.IPv6.parse(ip);
  const bytes = address.toByteArray();
  if (address.match(SIX_TO_FOUR)) return bytes.slice(2, 6).join('.');
  if (address.match(NAT64)) return bytes.slice(12).join('.');
  if (address.match(LOCAL_NAT64)) return localNat64(bytes).join('.');
  return undefined;
}

/** In this range the prefix has 96 bits, or 48, and then the last bytes are 0. */
function localNat64(bytes: number[]): number[] {
  const endsInZeros = bytes.slice(12).every((byte) => byte === 0);
  return endsInZeros ? [...bytes.slice(6, 8), ...bytes.slice(9, 11)] : bytes.slice(12);
}
