import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { programName } from '../../console/src/account/program-name.js';
import { ApiError, pauseAfter } from '../../console/src/api/api-error.js';
import { errorTexts } from '../../console/src/error-texts.js';
import { type Language, PROGRAMS } from '../../console/src/integrate/programs/languages.js';
import { filled, isForShell, pastedBlock } from '../../console/src/integrate/programs/program.js';
import type { License } from '../../console/src/api/types.js';
import { nameOf } from '../../console/src/licenses/license-name.js';
import { seats } from '../../console/src/licenses/license-texts.js';
import { notesOf, textOfNotes } from '../../console/src/licenses/notes.js';
import { distanceOf } from '../../console/src/shared/time-format.js';
import { endAfterRenewal } from '../../console/src/licenses/renewal.js';
import { extendedTerm, newTerm, type TermLength } from '../../src/licenses/term.js';
import { ERRORS } from '../../src/shared/errors/error-codes.js';
import { readDocument } from '../document/openapi-document.js';
import { readmeOf } from '../sdk/commands.js';

const CONSOLE = 'console/src';

/** Errors that the console itself rules out, or that a form prevents before it is submitted. */
const RULED_OUT = [
  ...['MALFORMED_JSON', 'BODY_TOO_DEEP', 'UNSUPPORTED_MEDIA_TYPE', 'IDEMPOTENCY_KEY_REUSED'],
  ...['SESSION_REQUIRED', 'INSUFFICIENT_SCOPE', 'INVALID_REFRESH_TOKEN'],
  ...['CLIENT_NAME_REQUIRED', 'CLIENT_EMAIL_REQUIRED', 'CLIENT_ID_AND_PROJECT_NAME_REQUIRED'],
  ...['PROJECT_NAME_REQUIRED', 'PLAN_NAME_REQUIRED'],
  // Of the activation of a sample license, which is new.
  ...['LICENSE_KEY_REQUIRED', 'LICENSE_REVOKED', 'LICENSE_EXPIRED', 'LICENSE_ON_ANOTHER_MACHINE'],
  'ACTIVATION_FAILED',
];

/** The operations that the console calls, as methods and paths. */
function operations(): [method: string, path: string][] {
  const sources = fs
    .readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => fs.readFileSync(path.join(CONSOLE, name), 'utf8'));
  const calls = sources.join('\n').matchAll(/[aA]pi\.(GET|POST|PATCH|DELETE)\(\s*'([^']+)'/g);
  return [...calls].map(([, method = '', route = '']) => [method.toLowerCase(), route]);
}

describe('The texts of errors', () => {
  it('cover every code of the operations that the console calls', () => {
    const { paths } = readDocument();
    const called = operations();
    expect(called.length).toBeGreaterThan(50);
    const codes = called.flatMap(([method, route]) =>
      Object.entries(paths[route]![method]!.responses)
        .filter(([status]) => status >= '400')
        .flatMap(([, { content }]) => Object.keys(content?.['application/json']?.examples ?? {})),
    );
    const known = new Set([...RULED_OUT, ...Object.keys(errorTexts)]);
    expect(codes.filter((code) => !known.has(code))).toEqual([]);
  });

  it('are sentences for existing codes', () => {
    for (const [code, text] of Object.entries(errorTexts)) {
      expect(Object.keys(ERRORS)).toContain(code);
      expect(text).toMatch(/^[A-Z].*\.$/);
    }
  });
});

const KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
const VALUES = {
  service: 'https://licenses.studio.example',
  issuer: '0123456789abcdef01234567',
  current: KEY,
  next: { ...KEY, x: 'RgBAj-DKXegNqjfRUGJKENCiS7B8Y5shKVYGVjqi3YU' },
  product: 'ISSUER',
  folder: '/var/lib/drawing-board',
};

const LANGUAGES = Object.keys(PROGRAMS) as Language[];

describe.each(LANGUAGES)('The program that the console shows for %s', (language) => {
  const program = PROGRAMS[language];

  it('matches the README of the SDK, including the installation', () => {
    const readme = readmeOf(language === 'cpp' ? 'c' : language);
    expect(readme).toContain(`\n${program.source}\`\`\`\n`);
    for (const { lines } of program.install.blocks) {
      for (const line of lines) expect(readme).toContain(`${line}\n`);
    }
  });

  it('is installed by commands that do nothing in the wrong folder', () => {
    for (const block of program.install.blocks.filter(({ place }) => isForShell(place))) {
      const env = { PATH: process.env.PATH };
      const { status, stderr } = spawnSync('sh', ['-c', pastedBlock(block)], { env });
      expect(status).not.toBe(0);
      expect(String(stderr)).toMatch(/Set (CHECKOUT|APP) to/);
    }
  });

  it("contains the account's values, each in its place", () => {
    const text = filled(program, VALUES);
    const { service, issuer, current, next, product, folder } = VALUES;
    for (const value of [service, issuer, current.x, next.x, folder]) {
      expect(text.split(value)).toHaveLength(2);
    }
    expect(text).toContain(`"${product}"`);
    expect(text).not.toMatch(/licenses\.example"|com\.example\.web-shop|\/var\/lib\/web-shop/);
  });
});

it('A code is not sent again after a day, because it would be wrong by then', () => {
  const codes = ['TOO_MANY_REQUESTS', 'TOO_MANY_WRONG_CODES'];
  const pauses = codes.map((code) => pauseAfter(new ApiError(429, { message: '', code }, 86_400)));
  expect(pauses).toEqual([86_400_000, null]);
});

const ACTIVATED = new Date('2026-01-31T10:00:00.000Z');
const MONTHS = 1;
const RENEWAL = { duration: MONTHS, days: null };

describe('The expiry date after a renewal in the console', () => {
  /** A license whose term was renewed once, at this time. */
  const shownAt = (now: Date, length: TermLength, status: 'ACTIVE' | 'SUSPENDED' | 'EXPIRED') => {
    const term = extendedTerm(newTerm(ACTIVATED, length), RENEWAL);
    const [activatedAt, expiresAt] = [ACTIVATED, term.expiresAt].map((at) => at.toISOString());
    const license = {
      ...length,
      endIsFixed: false,
      status,
      activatedAt: activatedAt!,
      expiresAt: expiresAt!,
    };
    return { term, end: endAfterRenewal(license, MONTHS, now) };
  };

  it.each([
    { duration: 1, days: null },
    { duration: null, days: 14 },
    { duration: null, days: 400 },
  ])('matches the service, with all months counted before all days: %j', (length) => {
    for (const status of ['ACTIVE', 'SUSPENDED'] as const) {
      const { term, end } = shownAt(ACTIVATED, length, status);
      expect(end).toEqual(extendedTerm(term, RENEWAL).expiresAt);
    }
  });

  it('starts a new term if the license has expired, even if it was suspended before', () => {
    const now = new Date('2026-08-31T10:00:00.000Z');
    for (const status of ['EXPIRED', 'SUSPENDED'] as const) {
      const { end } = shownAt(now, { duration: 1, days: null }, status);
      expect(end).toEqual(newTerm(now, RENEWAL).expiresAt);
    }
  });
});

/** The header `User-Agent` of a session, by the name of its program. */
const USER_AGENTS = {
  'Edge on Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  'Safari on iPhone':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  'curl/8.5.0': 'curl/8.5.0',
};

it.each(Object.entries(USER_AGENTS))('The program of a session is named %s', (name, userAgent) => {
  expect(programName(userAgent)).toBe(name);
});

const FLOATING = { machinesCount: 1_000, leaseSeconds: 300 };

it.each([
  ['0 of 1 seat in use', { machinesCount: 0, maxMachines: 1 }],
  ['10,000 of 1,000,000 seats in use', { machinesCount: 10_000, maxMachines: 1_000_000 }],
  ['1,000 or more of 5,000 seats in use', { ...FLOATING, maxMachines: 5_000 }],
  ['1,000 of 1,000 seats in use', { ...FLOATING, maxMachines: 1_000 }],
])(
  'A license shows %s, because the service counts floating machines up to 1,000',
  (text, license) => {
    expect(seats.seatsInUse({ leaseSeconds: null, ...license })).toBe(text);
  },
);

it.each([
  ['seller: Miriam\ntag:', { seller: 'Miriam', tag: '' }],
  [
    'note: Called on Monday.\nSee https://crm.example/4',
    { note: 'Called on Monday.\nSee https://crm.example/4' },
  ],
])('Notes are edited as lines: %j', (text, metadata) => {
  expect(notesOf(text)).toEqual(metadata);
  expect(notesOf(textOfNotes(metadata))).toEqual(metadata);
});

it('A note without a name gets one', () => {
  expect(notesOf('Called on Monday.')).toEqual({ note: 'Called on Monday.' });
});

const NOW = Date.parse('2026-09-30T12:00:00.000Z');

it.each([
  ['now', '2026-09-30T11:59:30.000Z'],
  ['in 4 minutes', '2026-09-30T12:04:59.000Z'],
  ['2 hours ago', '2026-09-30T09:30:00.000Z'],
  ['yesterday', '2026-09-29T10:00:00.000Z'],
  ['1 Sep 2026', '2026-09-01T12:00:00.000Z'],
])('A time is shown as %s', (text, at) => {
  expect(distanceOf(at, NOW)).toBe(text);
});

it('The name of a license keeps the order of a right-to-left client and project', () => {
  const names = { clientName: 'مكتبة', projectName: 'متجر' };
  const name = nameOf({ keyHint: '93KD', ...names } as License);
  expect(name).toBe('•••• 93KD · \u2068مكتبة\u2069 · \u2068متجر\u2069');
});
