import { explainStartupFailure } from './startup-error.js';

const listen = { syscall: 'listen', address: '127.0.0.1', port: 3000 };
const lookUp = { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'nowhere' };
const IN_USE = 'is already in use. Stop the program that uses it or set a different PORT.';
const LOCKED = 'The service cannot start: database is locked';

it.each([
  [
    'a host that cannot be resolved',
    lookUp,
    'nowhere is not an address of this machine. Set a different HOST.',
  ],
  [
    'a port that needs privileges',
    { ...listen, code: 'EACCES', port: 80 },
    '127.0.0.1:80 needs privileges that this user does not have. Set PORT to 1024 or higher.',
  ],
  ['the address that is in use', { ...listen, code: 'EADDRINUSE' }, `127.0.0.1:3000 ${IN_USE}`],
  [
    'an IPv6 address in brackets',
    { ...listen, code: 'EADDRINUSE', address: '::' },
    `[::]:3000 ${IN_USE}`,
  ],
  ['any other failure by its message, without its stack', {}, LOCKED],
  ['a file that cannot be opened', { code: 'EACCES', syscall: 'open' }, LOCKED],
  ['a database whose name cannot be resolved', { ...lookUp, syscall: 'querySrv' }, LOCKED],
])('a failed start explains %s', (_what, failure, sentence) => {
  const error = Object.assign(new Error('database is locked'), failure);
  expect(explainStartupFailure(error)).toBe(sentence);
});
