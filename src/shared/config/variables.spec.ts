import { StartupError } from '../errors/startup-error.js';
import { readEnvironment, VARIABLES } from './environment.js';

type Name = keyof typeof VARIABLES;
type Row = [takes: string, accepted: [raw: string, value: unknown][], rejected: string[]];

const whole = (least: number, most: number, ...rejected: string[]): Row => [
  `a whole number from ${least} to ${most}`,
  [least, most].map((value) => [String(value), value]),
  [String(least - 1), String(most + 1), ...rejected],
];
/** For variables whose names end this way. */
const BY_ENDING = {
  LIMIT: whole(0, 1_000_000, '1.5', '1e3', '0x10', 'five', '٣'),
  QUOTA: whole(0, 1_000_000_000, 'none'),
};
const as = (...values: string[]) => values.map((value): [string, string] => [value, value]);
const OWN_SECRET = 'own-and-32-bytes-long-0123456789';
const flag: Row = [
  'true or false',
  [true, false].map((value) => [String(value), value]),
  ['1', 'TRUE', 'yes'],
];
const secret: Row = [
  'at least 32 bytes long',
  as(OWN_SECRET, 'äöüßéèêë-sixteen-more-bytes'),
  [OWN_SECRET.slice(1), '01234567'],
];

const host: Row = [
  'a host name or an IP address',
  as('0.0.0.0', '::', 'license-host.local'),
  ['http://localhost', 'a host', 'localhost/'],
];

const networks: Row = [
  'IP addresses or networks such as 10.0.0.0/8, separated by commas',
  [
    ['10.0.0.0/8', ['10.0.0.0/8']],
    ['127.0.0.1, ::1,fd00::/8', ['127.0.0.1', '::1', 'fd00::/8']],
  ],
  ['1', 'proxy.local', '10.0.0.0/33', '10.0.0.1,', '0.0.0.0/0', '::/0', '10/8', '010.0.0.1'],
];

const origin = (path: string): Row => [
  `an address such as https://licenses.example.com, or http on localhost, ${path}`,
  [
    ['https://Licenses.Example.com/', 'https://licenses.example.com'],
    ['https://licenses.example.com:8443', 'https://licenses.example.com:8443'],
    ...as('http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'),
  ],
  [
    ...['http://licenses.example.com', 'licenses.example.com', 'https://a.example/path'],
    ...['https://user@a.example', 'https://a.example?b', 'https://a.example#b', 'ftp://a.example'],
  ],
];

// Typed by the code's own table, so a variable without a row does not compile.
const ROWS: Record<Exclude<Name, `${string}_${keyof typeof BY_ENDING}`>, Row> = {
  PORT: whole(0, 65_535, '80.5', 'http', '99999999999999999999'),
  HOST: host,
  BASE_PATH: [
    'a path such as /licenses, without dots or a slash at the end',
    as('/licenses', '/tools/license_server-2'),
    ['licenses', '/', '/licenses/', '//licenses', '/a/../b', '/a.b', '/a b', '/a?b', '/%61'],
  ],
  METRICS_PORT: whole(1, 65_535, 'on'),
  METRICS_HOST: host,
  DATA_DIR: [
    'a folder, written without ~',
    as('/var/lib/licenses', './a folder'),
    ['~/data', '~ada/data'],
  ],
  MONGODB_URI: [
    'a connection string that starts with mongodb:// or mongodb+srv://',
    as('mongodb://user:password@a,b/licenses?replicaSet=rs', 'mongodb+srv://cluster.local'),
    ['postgres://user:password@db', 'db:27017', 'mongodb://', ' mongodb://db'],
  ],
  JWT_SECRET: secret,
  LICENSE_SECRET: secret,
  LICENSE_SECRET_PREVIOUS: secret,
  KEY_PREFIX: [
    '1 to 16 capital letters and digits',
    as('A', 'ACME2026', 'A234567890123456'),
    ['lic', 'A-B', 'A2345678901234567', 'LIC\n', 'ÄB'],
  ],
  SERVICES: [
    'none, or different ASCII names separated by commas, at most 400 bytes as JSON',
    [
      ['none', []],
      ['Support', ['Support']],
      ['Priority support, Updates', ['Priority support', 'Updates']],
      ['x'.repeat(396), ['x'.repeat(396)]],
    ],
    ['Support,', ',', 'Support, Support', 'Größe', 'a\tb', 'x'.repeat(397)],
  ],
  MACHINE_ID: [
    '8 to 256 characters',
    as('12345678', 'm'.repeat(256)),
    ['1234567', 'm'.repeat(257), '1234\n5678'],
  ],
  CERTIFICATE_DAYS: whole(1, 30, '7.5', 'a week'),
  EVENT_DAYS: whole(0, 36_500, 'for ever'),
  MAX_CONNECTIONS: whole(1, 1_000_000, 'unlimited'),
  REQUIRE_FINGERPRINT: flag,
  CONSOLE: flag,
  IMPORT: flag,
  WEBHOOK_NETWORKS: networks,
  TRUSTED_PROXIES: networks,
  REGISTRATION: ['open, first or closed', as('open', 'first', 'closed'), ['Open', 'false']],
  PUBLIC_URL: origin('without a path, which is BASE_PATH'),
  PORTAL_URL: origin('without a path'),
  SMTP_URL: [
    'smtps://user:password@host:465 or smtp://user:password@host:587, with user and password percent-encoded',
    [
      ['smtps://mx.local', { host: 'mx.local', port: 465, isTls: true, login: null }],
      ['smtp://mx.local:25/', { host: 'mx.local', port: 25, isTls: false, login: null }],
      [
        'smtp://a%40b:p%2F%3A%25@[::1]',
        { host: '::1', port: 587, isTls: false, login: { user: 'a@b', password: 'p/:%' } },
      ],
    ],
    [
      ...['mx.local', 'http://mx.local', 'smtp://', 'smtp://user@mx.local', 'smtp://a:b@'],
      ...[
        'smtp://a:%0@mx.local',
        'smtp://a:%00@mx.local',
        'smtp://mx.local/x',
        'smtp://mx.local?x',
      ],
    ],
  ],
  SMTP_PLAINTEXT: flag,
  MAIL_FROM: [
    'an address such as Acme Licenses <licenses@example.com>',
    [
      ['licenses@example.com', { name: '', address: 'licenses@example.com' }],
      ['Acme Licenses <l@example.com>', { name: 'Acme Licenses', address: 'l@example.com' }],
      ['"Acme, Inc." <l@example.com>', { name: 'Acme, Inc.', address: 'l@example.com' }],
    ],
    [
      ...['Acme', 'Acme <>', 'a@example.com, b@example.com', 'A <a@example.com>, b@example.com'],
      ...['A\n <a@example.com>', '<a@example.com> <b@example.com>', '"a b"@example.com'],
    ],
  ],
  CUSTOMER_MAIL: flag,
  CORS_ORIGINS: [
    'origins such as https://admin.example.com, separated by commas',
    [
      ['https://a.local', ['https://a.local']],
      ['http://a:81, https://b', ['http://a:81', 'https://b']],
    ],
    ['*', 'true', 'a.local', 'https://a.local/', 'https://A.local', 'null'],
  ],
  SHUTDOWN_DRAIN: whole(0, 5, '1.5', '-1', '2s'),
  LOG_LEVEL: [
    'fatal, error, warn, info, debug, trace or silent',
    as('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    ['INFO', 'verbose'],
  ],
};

/** Variables that SMTP_URL requires. */
const FOR_MAIL = { PUBLIC_URL: 'https://a.local', MAIL_FROM: 'a@a.example' };

const rowOf = (name: string) =>
  ({ ...BY_ENDING, ...ROWS })[name.replace(/.*_(?=LIMIT|QUOTA)/, '') as keyof typeof ROWS];

describe.each(Object.keys(VARIABLES) as Name[])('%s', (name) => {
  const [takes, accepted, rejected] = rowOf(name);

  it.each(accepted)('takes %j', (raw, value) => {
    expect(readEnvironment({ ...FOR_MAIL, [name]: raw })[name]).toEqual(value);
  });

  it('rejects anything else, and says which values are valid', () => {
    for (const raw of rejected) {
      const read = () => readEnvironment({ [name]: raw });
      expect(read).toThrow(StartupError);
      expect(read).toThrow(new StartupError(`${name} must be ${takes}.`));
    }
  });
});
