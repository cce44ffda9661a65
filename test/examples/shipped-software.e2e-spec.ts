import {
  createLicense,
  type CreatedLicense,
  type Developer,
  registerDeveloper,
} from '../e2e/developer.js';
import { NO_LIMITS } from '../no-limits.js';
import { Operator } from '../smoke/operator.js';
import type { Ending } from '../smoke/running-process.js';
import type { RunningService } from '../smoke/running-service.js';
import { CustomerMachine } from './customer-machine.js';
import { expectRejection, NOWHERE } from './expectations.js';
import { reportMissingPython } from './missing-python.js';
import { describeBoth, describeWithPython, hasPython, NODE, PYTHON } from './programs.js';

// Only here: one line, or one failure, is enough for all the tests of the examples.
if (!hasPython) reportMissingPython(process.env);

const operator = new Operator(NO_LIMITS);
let service: RunningService;
let developer: Developer;
let license: CreatedLicense;

beforeAll(async () => {
  service = await operator.start();
  developer = await registerDeveloper(service);
});
beforeEach(async () => {
  license = await createLicense(service, developer);
});
afterAll(() => operator.leave());

const found = async () => {
  const response = await service.get(`/licenses/${license._id}`, { token: developer.token });
  return response.body as { status: string; activatedAt: string; expiresAt: string };
};

function expectLicensed(ending: Ending, expiresAt: string): void {
  expect(ending).toEqual({ code: 0, stdout: `Licensed until ${expiresAt}.\n`, stderr: '' });
}

describeBoth('A shipped program and the service', (program) => {
  let machine: CustomerMachine;
  let other: CustomerMachine;

  beforeEach(() => {
    machine = new CustomerMachine(program, { LICENSE_KEY: license.key });
    other = new CustomerMachine(program, { LICENSE_KEY: license.key });
  });
  afterEach(() => [machine, other].forEach((each) => each.leave()));

  it('activate at the first start, and validate at the second', async () => {
    const first = await machine.start(service.url);
    const activated = await found();
    expect(activated.status).toBe('ACTIVE');
    expectLicensed(first, activated.expiresAt);

    expectLicensed(await machine.start(service.url), activated.expiresAt);
    expect(await found()).toEqual(activated);
  });

  it('do not let a copy run on another machine, online or offline', async () => {
    await machine.start(service.url);
    machine.copyStateTo(other);

    expectRejection(await other.start(NOWHERE), 14, 'never was before');
    expectRejection(await other.start(service.url), 12, 'another machine', 'vendor');
    expect((await machine.start(service.url)).code).toBe(0);
  });

  it('end a revoked license, offline too', async () => {
    await machine.start(service.url);
    const revocation = await service.post(
      `/licenses/${license._id}/revoke`,
      {},
      { token: developer.token },
    );
    expect(revocation.status).toBe(200);

    expectRejection(await machine.start(service.url), 11, 'revoked', 'new license key');
    expectRejection(await machine.start(NOWHERE), 14, 'never was before');
  });

  it('reject a key that is unknown', async () => {
    const unknown = { LICENSE_KEY: license.key.replace(/.{4}$/, '0000') };

    expectRejection(await machine.start(service.url, unknown), 13, 'unknown', 'LICENSE_KEY');
  });

  it('take an address with a slash at its end, and a key between blanks', async () => {
    const env = { LICENSE_KEY: ` ${license.key}\n` };

    expect((await machine.start(`${service.url}/`, env)).code).toBe(0);
  });
});

describeWithPython('Both programs on one machine', () => {
  it('have the same license', async () => {
    const machine = new CustomerMachine(NODE, { LICENSE_KEY: license.key });
    try {
      await machine.start(service.url);
      const { expiresAt } = await found();

      expectLicensed(await machine.start(service.url, {}, PYTHON), expiresAt);
      for (const program of [NODE, PYTHON]) {
        const { code, stdout } = await machine.start(NOWHERE, {}, program);
        expect(code).toBe(0);
        expect(stdout).toContain('offline');
      }
    } finally {
      machine.leave();
    }
  });
});
