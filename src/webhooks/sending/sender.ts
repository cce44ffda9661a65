import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import { Injectable } from '@nestjs/common';
import { Config } from '../../shared/config/config.js';
import type { DeliveryError, Outcome } from '../delivery.js';
import { addressesOf, isAllowed, urlProblem } from './addresses.js';

/** Timeout of a whole attempt in milliseconds, from name resolution to the end of the response. */
const TIMEOUT = 15_000;
/** Timeout of name resolution in milliseconds: for an attempt, and for a new URL, whose request waits. */
const NAME_TIMEOUT = 3_000;
const CHECK_TIMEOUT = 1_500;

/** How many bytes of a response are read, and how many of these are stored. */
const MAX_RESPONSE = 4 * 1024;
const MAX_KEPT = 256;

/** Agents without keep-alive and without environment proxies. */
const TRANSPORTS = {
  'http:': { request: http.request, agent: new http.Agent() },
  'https:': { request: https.request, agent: new https.Agent() },
};

type Headers = Readonly<Record<string, string>>;

/** Sends requests to receivers, never to internal addresses. Does not follow redirects. */
@Injectable()
export class Sender {
  constructor(private readonly config: Config) {}

  /** The reason to reject a webhook URL; null if it is allowed. A name that does not resolve now may do so later. */
  async urlProblem(text: string): Promise<string | null> {
    const reason = urlProblem(text, this.config.webhookNetworks);
    if (reason) return reason;
    const url = new URL(text);
    const addresses = await addressesOf(url, AbortSignal.timeout(CHECK_TIMEOUT));
    return this.areAllowed(url, addresses) ? null : 'must resolve only to public IP addresses';
  }

  /**
   * Makes one attempt. Connects to a checked address, whatever the name resolves to by then.
   *
   * @param stopping aborts the attempt
   * @returns null if it was aborted
   */
  async send(
    url: string,
    headers: Headers,
    body: string,
    stopping: AbortSignal,
  ): Promise<Outcome | null> {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT), stopping]);
    const outcome = await this.attempt(url, headers, Buffer.from(body), signal);
    return stopping.aborted ? null : outcome;
  }

  private async attempt(text: string, headers: Headers, body: Buffer, signal: AbortSignal) {
    if (urlProblem(text, this.config.webhookNetworks)) return failed('address_not_allowed');
    const url = new URL(text);
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(NAME_TIMEOUT)]);
    const addresses = await addressesOf(url, inTime);
    const [address] = addresses;
    if (address === undefined) return failed('name_not_resolved');
    if (!this.areAllowed(url, addresses)) return failed('address_not_allowed');
    return exchange(url, address, headers, body, signal);
  }

  private areAllowed(url: URL, addresses: readonly string[]): boolean {
    return addresses.every((address) => isAllowed(url, address, this.config.webhookNetworks));
  }
}

function exchange(
  url: URL,
  address: string,
  headers: Headers,
  body: Buffer,
  signal: AbortSignal,
): Promise<Outcome> {
  const { request, agent } = TRANSPORTS[url.protocol as 'http:' | 'https:'];
  const family = isIP(address);
  const options: https.RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': body.length },
    signal,
    agent,
    family,
    lookup: (_name, _options, done) => done(null, address, family),
  };
  return new Promise((resolve) => {
    let received: Outcome | undefined;
    let kept = Buffer.alloc(0);
    // A received status counts, whatever happens to the body.
    const outcome = () => received && { ...received, response: textOf(kept) };
    const outgoing = request(url, options, (response) => {
      received = outcomeOf(response.statusCode!);
      let length = 0;
      const end = () => (response.destroy(), resolve(outcome()!));
      response.on('data', (chunk: Buffer) => {
        kept = Buffer.concat([kept, chunk.subarray(0, MAX_KEPT - kept.length)]);
        length += chunk.length;
        if (length >= MAX_RESPONSE) end();
      });
      response.on('end', end).on('error', end).on('close', end);
    });
    outgoing.on('error', (error) =>
      resolve(outcome() ?? failed(signal.aborted ? 'timeout' : errorOf(error))),
    );
    outgoing.end(body);
  });
}

const failed = (error: DeliveryError): Outcome => ({
  ...{ responseStatus: null, response: null, error },
});

function outcomeOf(responseStatus: number): Outcome {
  const outcome = { responseStatus, response: '' };
  if (responseStatus >= 200 && responseStatus < 300) return { ...outcome, error: null };
  const isRedirect = responseStatus >= 300 && responseStatus < 400;
  return { ...outcome, error: isRedirect ? 'redirect' : 'unexpected_status' };
}

/** UTF-8 as text, without a character that is cut off at the end, and without characters that are invalid in text. */
const textOf = (bytes: Buffer): string =>
  new StringDecoder().write(bytes).replaceAll(/[^\P{Cc}\n\r\t]/gu, '\ufffd');

const TLS_ERROR = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_|EPROTO$)/;

function errorOf({ code = '' }: NodeJS.ErrnoException): DeliveryError {
  if (code.startsWith('HPE_')) return 'invalid_response';
  return TLS_ERROR.test(code) ? 'tls_failed' : 'connection_failed';
}
