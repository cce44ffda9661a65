import { explainStartupFailure } from './startup-error.js';

describe('explainStartupFailure', () => {
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
      'the address that is in use',
      { code: 'EADDRINUSE', syscall: 'listen', address: '127.0.0.1', port: 3000 },
      '127.0.0.1:3000 is already in use: stop the program that uses it, or set another PORT.',
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
