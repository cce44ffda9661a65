import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { explainStartupFailure } from './startup-error.js';

/** The error of an actual attempt to listen there. */
async function failureOfListening(port: number, host: string): Promise<unknown> {
  const server = createServer();
  server.listen(port, host);
  const [error] = (await once(server, 'error')) as [unknown];
  return error;
}

describe('explainStartupFailure', () => {
  it('names the address that is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const failure = await failureOfListening(port, '127.0.0.1');
    await new Promise((resolve) => server.close(resolve));
    expect(explainStartupFailure(failure)).toBe(
      `127.0.0.1:${port} is already in use: stop the program that uses it, or set another PORT.`,
    );
  });

  it.each([
    [
      'a host that cannot be resolved',
      { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'nowhere' },
      'nowhere is not an address of this machine: set another HOST.',
    ],
    [
      'a port that needs privileges',
      { code: 'EACCES', syscall: 'listen', address: '127.0.0.1', port: 80 },
      '127.0.0.1:80 needs privileges that this user does not have: set a PORT of 1024 or more.',
    ],
    [
      'an IPv6 address in brackets',
      { code: 'EADDRINUSE', syscall: 'listen', address: '::', port: 3000 },
      '[::]:3000 is already in use: stop the program that uses it, or set another PORT.',
    ],
  ])('names %s', (_what, failure, sentence) => {
    expect(explainStartupFailure(Object.assign(new Error(), failure))).toBe(sentence);
  });

  it.each([
    new Error('database is locked'),
    Object.assign(new Error("permission denied, open '.env'"), { code: 'EACCES', syscall: 'open' }),
    Object.assign(new Error('querySrv ENOTFOUND _mongodb._tcp.db.test'), {
      code: 'ENOTFOUND',
      syscall: 'querySrv',
      hostname: '_mongodb._tcp.db.test',
    }),
  ])('returns the message of any other failure, without its stack: %s', (failure) => {
    expect(explainStartupFailure(failure)).toBe(`The service cannot start: ${failure.message}`);
  });
});
