import { explainStartupFailure } from './startup-error.js';

const listen = { syscall: 'listen', address: '127.0.0.1', port: 3000 };
const lookUp = { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'nowhere' };
const IN_USE = 'is already in use. Stop the program that uses it or set a different PORT.';
const LOCKED = 'The service cannot start: database is locked';

const TOO_MANY_FILES =
  'This process may open too few files. Allow it at least 1,024 (ulimit -n, or LimitNOFILE in a systemd unit).';

const missing = (name: string) =>
  `The service needs ${name}, which is missing or incomplete. Run "npm ci" in a checkout, or install the license service ` +
  'again, without --omit=optional.';

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
  [
    'a damaged store',
    { errcode: 11 },
    'The store in DATA_DIR is damaged (database is locked). Stop the service and restore a backup.',
  ],
  [
    'that Node is too old',
    { message: "The requested module 'node:util' does not provide an export named 'parseEnv'" },
    `This is Node ${process.versions.node}. The service needs Node 20.19, 22.12, 24 or newer.`,
  ],
  ['a limit of open files', { code: 'EMFILE', message: 'too many open files' }, TOO_MANY_FILES],
  [
    'a limit of open files while loading a native part',
    {
      code: 'ERR_DLOPEN_FAILED',
      message: 'x.node: cannot open shared object: Too many open files',
    },
    TOO_MANY_FILES,
  ],
  [
    'a package that is missing',
    {
      code: 'ERR_MODULE_NOT_FOUND',
      message: "Cannot find package 'mongoose' imported from /opt/license-service/dist/main.js",
    },
    missing('mongoose'),
  ],
  [
    'a package without its native part',
    {
      message: 'Cannot find native binding.',
      stack: 'Error\n    at file (/opt/license-service/node_modules/@node-rs/argon2/index.js:1)',
    },
    missing('@node-rs/argon2'),
  ],
  [
    'a package for another platform',
    {
      message:
        'No native build was found for platform=linux\n  loaded from: /x/node_modules/@photostructure/sqlite\n',
    },
    missing('@photostructure/sqlite'),
  ],
])('a failed start explains %s', (_what, failure, sentence) => {
  const error = Object.assign(new Error('database is locked'), failure);
  expect(explainStartupFailure(error)).toBe(sentence);
});
