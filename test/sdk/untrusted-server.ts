import https from 'node:https';
import type { AddressInfo } from 'node:net';

/** A self-signed certificate for localhost with its key, only for tests. */
const CERTIFICATE =
  'MIIBlTCCATugAwIBAgIUfvBzz4DPWkiWqCtzxx9mJlDylAwwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNzEwMjE0OFoYDzIxMjYxMTAz' +
  'MTAyMTQ4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQvdzaOcVdw5qho3ZG0L5F/GkE3N+DE01DaZssQp+0/4bDDnvOCXdBs' +
  'IcjNGct8K0Jmp7UvAm6Ja2ieVNPE1/qlo2kwZzAdBgNVHQ4EFgQUH3CUQ4nIlLCTopasR7/HX7OL2y0wHwYDVR0jBBgwFoAUH3CUQ4nIlLCTopasR7/HX7OL2y0wDwYD' +
  'VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwIDSAAwRQIhAJ2c/bF98mahEN2UAdtzpNsljh45pspPv2MPp6Gx+tNuAiBQHsJmiSKh' +
  'drIOMLSMpe+3gaHe3x1GCSmHBG36LDzSUg==';
const KEY =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFjd0Ne8BDLgLwHGqGVD1kH2HmgAxR0rcCK484ljDhXqhRANCAAQvdzaOcVdw5qho3ZG0L5F/GkE3N+DE' +
  '01DaZssQp+0/4bDDnvOCXdBsIcjNGct8K0Jmp7UvAm6Ja2ieVNPE1/ql';

const pem = (name: string, text: string) =>
  `-----BEGIN ${name}-----\n${text.replaceAll(/.{64}/g, '$&\n')}\n-----END ${name}-----\n`;

export const CREDENTIALS = {
  cert: pem('CERTIFICATE', CERTIFICATE),
  key: pem('PRIVATE KEY', KEY),
};

/** Provides a server with an untrusted TLS certificate for all tests of the calling block. */
export function useUntrustedServer(): { readonly url: string } {
  const server = https.createServer(CREDENTIALS, (_request, response) => response.end());
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    get url() {
      return `https://localhost:${(server.address() as AddressInfo).port}`;
    },
  };
}
