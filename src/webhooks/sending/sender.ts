import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Config } from '../../shared/config/config.js';
import type { DeliveryError, Outcome } from '../delivery.js';
import { hostOf, isAllowed, reasonAgainst } from './addresses.js';
import { AddressResolver } from './resolver.js';

/** Milliseconds for a whole attempt, from the resolution of the name to the end of the response. */
export class AttemptTimeout {
  readonly milliseconds: number = 15_000;
}

/** Milliseconds in which the name of a new URL is resolved: its request has to be responded to. */
const CHECK_TIMEOUT = 1_500;

/** Bytes of a response that are read, and dropped. */
const MAX_RESPONSE = 4 * 1024;

export interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An outcome, and whether the receiver used up its time: it is sent one request at a time then. */
export interface Sent extends Outcome {
  readonly isSlow: boolean;
}

/** Sends requests to receivers, and to no address of the own network: without redirects, and without proxies of the environment. */
@Injectable()
export class Sender {
  private readonly networks: readonly string[];
  private readonly agents = {
    'http:': new http.Agent({ keepAlive: false }),
    'https:': new https.Agent({ keepAlive: false }),
  };

  constructor(
    { webhookNetworks }: Config,
    private readonly resolver: AddressResolver,
    private readonly timeout: AttemptTimeout,
  ) {
    this.networks = webhookNetworks;
  }

  /** What is wrong with the URL of a webhook; null for one that may be used. A name that does not resolve now may do later. */
  async reasonAgainst(url: string): Promise<string | null> {
    const reason = reasonAgainst(url, this.networks);
    if (reason) return reason;
    const parsed = new URL(url);
    const addresses = await this.resolver.resolve(hostOf(parsed), CHECK_TIMEOUT);
    const isWrong = addresses.some((address) => !isAllowed(parsed, address, this.networks));
    return isWrong ? 'must have public addresses alone' : null;
  }

  /**
   * Makes one attempt. It connects to an address that was checked, so a name that resolves to another one meanwhile changes nothing.
   *
   * @param stopping aborts it
   * @returns null where it was aborted
   */
  async send(request: SentRequest, stopping: AbortSignal): Promise<Sent | null> {
    const timeout = AbortSignal.timeout(this.timeout.milliseconds);
    const sent = await this.attempt(request, AbortSignal.any([timeout, stopping]));
    if (stopping.aborted) return null;
    return { ...sent, isSlow: timeout.aborted };
  }

  private async attempt({ url: text, ...request }: SentRequest, signal: AbortSignal) {
    if (reasonAgainst(text, this.networks)) return failed('address_not_allowed');
    const url = new URL(text);
    const addresses = await beforeAbort(this.resolver.resolve(hostOf(url)), signal);
    if (!addresses) return failed('timeout');
    const [address] = addresses;
    if (address === undefined) return failed('name_not_resolved');
    if (!addresses.every((one) => isAllowed(url, one, this.networks))) {
      return failed('address_not_allowed');
    }
    return this.exchange(url, address, request, signal);
  }

  private exchange(
    url: URL,
    address: string,
    { headers, body }: Omit<SentRequest, 'url'>,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const protocol = url.protocol as 'http:' | 'https:';
    const content = Buffer.from(body);
    const options = {
      method: 'POST',
      signal,
      agent: this.agents[protocol],
      lookup: always(address),
      headers: { ...headers, 'content-length': content.length },
    };
    const { request } = protocol === 'https:' ? https : http;
    return new Promise((resolve) => {
      let outcome: Outcome | undefined;
      const outgoing = request(url, options, (response) => {
        const received = (outcome = outcomeOf(response.statusCode!));
        let length = 0;
        const end = () => (response.destroy(), resolve(received));
        response.on('data', (chunk: Buffer) => {
          length += chunk.length;
          if (length >= MAX_RESPONSE) end();
        });
        response.on('end', end).on('error', end).on('close', end);
      });
      // A status that has arrived counts, whatever becomes of the body.
      outgoing.on('error', (error) =>
        resolve(outcome ?? failed(signal.aborted ? 'timeout' : errorOf(error))),
      );
      outgoing.end(content);
    });
  }
}

const failed = (error: DeliveryError): Outcome => ({ responseStatus: null, error });

function outcomeOf(responseStatus: number): Outcome {
  if (responseStatus >= 200 && responseStatus < 300) return { responseStatus, error: null };
  const isRedirect = responseStatus >= 300 && responseStatus < 400;
  return { responseStatus, error: isRedirect ? 'redirect' : 'unexpected_status' };
}

const TLS_ERROR = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_|EPROTO$)/;

function errorOf({ code = '' }: NodeJS.ErrnoException): DeliveryError {
  if (code.startsWith('HPE_')) return 'invalid_response';
  return TLS_ERROR.test(code) ? 'tls_failed' : 'connection_failed';
}

/** A look-up whose result is this address, whatever the name. */
const always =
  (address: string): LookupFunction =>
  (_name, { all }, done) => {
    const family = isIP(address);
    if (all) done(null, [{ address, family }]);
    else done(null, address, family);
  };

/** The result of work, or undefined once the signal aborts. */
const beforeAbort = <T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> =>
  new Promise((resolve, reject) => {
    const abort = () => resolve(undefined);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
