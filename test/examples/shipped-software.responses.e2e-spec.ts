import fs from 'node:fs';
import type { Ending } from '../smoke/running-process.js';
import { casesInScope } from '../scope.js';
import { CustomerMachine, type State } from './customer-machine.js';
import { expectRejection, NOWHERE } from './expectations.js';
import { describePrograms } from './programs.js';
import {
  ACTIVATED,
  ACTIVE,
  HANG_UP,
  IN_HALF_A_YEAR,
  json,
  page,
  PENDING,
  type Reply,
  ScriptedService,
  SILENCE,
  TRICKLE,
} from './scripted-service.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const VALIDATE = '/validate';
const ACTIVATE = '/validate/activate';

describePrograms('A shipped program', (program) => {
  const services: ScriptedService[] = [];
  let machine: CustomerMachine;
  let licensed: State;

  const scripted = async (...replies: Reply[]) => {
    const service = await ScriptedService.start(...replies);
    services.push(service);
    return service;
  };
  const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

  beforeAll(async () => {
    machine = new CustomerMachine(program);
    const service = await scripted(ACTIVE);
    expect((await machine.start(service.url)).code).toBe(0);
    licensed = machine.state;
  });
  beforeEach(() => (machine.state = licensed));
  afterEach(() => Promise.all(services.splice(0).map((service) => service.stop())));
  afterAll(() => machine.leave());

  describe('that has run before and is rejected', () => {
    const status = (status: string) => json(200, { valid: false, status, message: 'No' });
    const rejected = (code: number, body: object) => [
      PENDING,
      json(code, { success: false, message: 'No', ...body }),
    ];

    it.each<[string, Reply[], number, string]>([
      ['expired', [status('expired')], 10, 'renew'],
      ['revoked', [status('revoked')], 11, 'new license key'],
      ['for another machine', [status('machine_mismatch')], 12, 'another machine'],
      ['unknown', [status('invalid')], 13, 'LICENSE_KEY'],
      ['expired, to activate', rejected(403, { code: 'LICENSE_EXPIRED' }), 10, 'renew'],
      ['revoked, to activate', rejected(403, { code: 'LICENSE_REVOKED' }), 11, 'new license key'],
      [
        'on another machine, to activate',
        rejected(403, { code: 'LICENSE_ON_ANOTHER_MACHINE' }),
        12,
        'another machine',
      ],
      ['unknown, to activate', rejected(404, { code: 'LICENSE_NOT_FOUND' }), 13, 'LICENSE_KEY'],
    ])('as %s prints so, and does not run offline either', async (...theCase) => {
      const [, replies, code, words] = theCase;
      const service = await scripted(...replies);

      expectRejection(await machine.start(service.url), code, words);
      expect(service.paths).toEqual([VALIDATE, ACTIVATE].slice(0, replies.length));
      expectRejection(await machine.start(NOWHERE), 14);
    });

    it.each<[string, Reply[]]>([
      ['a validation', []],
      ['an activation', [PENDING]],
    ])('as the author of a wrong request, by %s, says that it has a bug', async (_case, before) => {
      const service = await scripted(...before, json(400, { message: 'Validation error' }));

      expectRejection(await machine.start(service.url), 15, 'bug', 'vendor', 'Validation error');
      expect(service.asked).toHaveLength(before.length + 1);
      expect((await machine.start(NOWHERE)).code).toBe(0);
    });
  });

  describe('that gets no response', () => {
    const expectOffline = (ending: Ending, reason: string) => {
      const until = new Date(Date.parse(licensed.lastValidAt) + 7 * DAY).toISOString();
      expect(ending).toEqual({
        code: 0,
        stdout: `The license could not be checked (${reason}): running offline until ${until}.\n`,
        stderr: '',
      });
    };

    it.each(
      casesInScope<[string, Reply[], number, string]>([
        ['an error', [page(500)], 3, 'HTTP 500'],
        ['an overload', [json(503, { message: 'Busy' }, { 'Retry-After': '0' })], 3, 'HTTP 503'],
        ['a long overload', [json(503, {}, { 'Retry-After': '3600' })], 1, 'HTTP 503'],
        ['a limit', [json(429, { status: 429 })], 3, 'HTTP 429'],
        ['a long limit', [json(429, { status: 429 }, { 'Retry-After': '11' })], 1, 'HTTP 429'],
        ['a limit that cannot be read', [page(429, { 'Retry-After': 'soon' })], 3, 'HTTP 429'],
        ['a connection that is closed', [HANG_UP], 3, 'no connection'],
        ['a page of another program', [page(200)], 3, 'unreadable response'],
        [
          'JSON that is no object',
          [json(200, null), json(200, ['active'])],
          3,
          'unreadable response',
        ],
        [
          'a status that is not known',
          [json(200, { status: 'constructor' })],
          3,
          'unreadable response',
        ],
        [
          'no end of the term',
          [json(200, { valid: true, status: 'active' })],
          3,
          'unreadable response',
        ],
        ['a route that is not there', [json(404, { message: 'Not found' })], 3, 'HTTP 404'],
        ['a bad request of a proxy', [page(400)], 3, 'HTTP 400'],
        ['a redirection', [page(302, { Location: '/elsewhere' })], 3, 'HTTP 302'],
        ['a lasting redirection', [page(308, { Location: '/elsewhere' })], 3, 'HTTP 308'],
        ['an activation that fails', [PENDING, page(500)], 4, 'HTTP 500'],
        ['an activation that changes nothing', [PENDING], 2, 'not activated'],
      ]),
    )('but %s tries again within bounds, then runs offline', async (...theCase) => {
      const [, replies, requests, reason] = theCase;
      const service = await scripted(...replies);

      expectOffline(await machine.start(service.url), reason);
      expect(service.asked).toHaveLength(requests);
      expect(service.paths).not.toContain('/elsewhere');
      expect(machine.state).toEqual(licensed);
    });

    it.each<[string, Reply]>([
      ['silence', SILENCE],
      ['a response without an end', TRICKLE],
    ])('but %s does not wait for it, and runs offline', async (_case, reply) => {
      const service = await scripted(reply);

      // On a machine under load, a request may end before it has reached the service.
      const env = { LICENSE_TIMEOUT_MS: '300' };
      expectOffline(await machine.start(service.url, env), 'no response in time');
      expect(service.asked.length).toBeLessThanOrEqual(3);
    });

    it('does not run if it has never been validated', async () => {
      fs.rmSync(machine.file('license.json'));

      expectRejection(await machine.start(NOWHERE), 14, 'no connection', 'never was before');
    });

    it('goes on with the response that comes at last', async () => {
      const service = await scripted(page(500), HANG_UP, PENDING, page(503), ACTIVATED);
      const { code, stdout } = await machine.start(service.url);

      expect({ code, stdout }).toEqual({ code: 0, stdout: `Licensed until ${IN_HALF_A_YEAR}.\n` });
      expect(service.paths).toEqual([VALIDATE, VALIDATE, VALIDATE, ACTIVATE, ACTIVATE]);
    });

    it('waits longer each time', async () => {
      const service = await scripted(page(500));
      await machine.start(service.url, { LICENSE_BACKOFF_MS: '200' });

      const [first, second] = service.pauses;
      expect(first).toBeGreaterThan(95);
      expect(second).toBeGreaterThan(195);
    });

    it.each([0, 1])('waits the %i s that it is told to', async (seconds) => {
      const limit = json(429, { status: 429 }, { 'Retry-After': String(seconds) });
      const service = await scripted(limit, ACTIVE);
      const { code } = await machine.start(service.url, { LICENSE_BACKOFF_MS: '20000' });

      expect(code).toBe(0);
      expect(service.pauses[0]).toBeGreaterThan(seconds * 990);
      expect(service.pauses[0]).toBeLessThan(9_000);
    });
  });

  describe('that is offline', () => {
    it.each([
      ['nearly seven days after', 7 * DAY - HOUR],
      ['right after', 1000],
    ])('runs %s it was validated', async (_case, age) => {
      const lastValidAt = ago(age);
      machine.state = { ...licensed, lastValidAt };
      const { code, stdout } = await machine.start(NOWHERE);

      expect(code).toBe(0);
      expect(stdout).toContain(
        `until ${new Date(Date.parse(lastValidAt) + 7 * DAY).toISOString()}.`,
      );
    });

    it('runs until its license expires at most', async () => {
      const expiresAt = ago(-HOUR);
      machine.state = { ...licensed, expiresAt };

      expect((await machine.start(NOWHERE)).stdout).toContain(`until ${expiresAt}.`);
    });

    it.each([
      ['after more than seven days', { lastValidAt: ago(7 * DAY + 1000) }, 'offline use ended'],
      ['when its license has expired', { expiresAt: ago(1000) }, 'offline use ended'],
      ['when its clock is set back', { lastValidAt: ago(-HOUR) }, 'clock is set back'],
      ['by a state without times', { lastValidAt: 'yesterday' }, 'never was before'],
    ])('does not run %s', async (_case, changes, words) => {
      machine.state = { ...licensed, ...changes };

      expectRejection(await machine.start(NOWHERE), 14, words, 'connect this machine');
    });

    it.each(['', '{"owner":', '[]', 'null', '\xff'])(
      'does not run by a damaged state: %j',
      async (content) => {
        fs.writeFileSync(machine.file('license.json'), content, 'latin1');

        expectRejection(await machine.start(NOWHERE), 14, 'never was before');
      },
    );

    it('does not run with another license key', async () => {
      const env = { LICENSE_KEY: 'LIC-665f1c2ab7e4a90012345678-0000-0000-0000' };

      expectRejection(await machine.start(NOWHERE, env), 14, 'never was before');
    });
  });
});
