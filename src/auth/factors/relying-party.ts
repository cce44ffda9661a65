import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Config } from '../../shared/config/config.js';
import { DomainError } from '../../shared/errors/domain-error.js';

/** The site that passkeys are created for. */
export interface Site {
  /** Its domain, the RP id. */
  readonly id: string;
  readonly origin: string;
}

/**
 * The site of PUBLIC_URL; undefined if browsers offer no passkeys there, because an IP address cannot be an
 * RP id and plain HTTP only works locally.
 */
export function siteOf(publicUrl: string | undefined): Site | undefined {
  if (publicUrl === undefined) return undefined;
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  return isSecure && !isAddress ? { id: hostname, origin } : undefined;
}

/** This deployment as a WebAuthn relying party. */
@Injectable()
export class RelyingParty {
  readonly site: Site | undefined;

  constructor(config: Config) {
    this.site = siteOf(config.publicUrl);
  }

  requireSite(): Site {
    if (!this.site) throw new DomainError('PASSKEYS_OFF');
    return this.site;
  }
}
