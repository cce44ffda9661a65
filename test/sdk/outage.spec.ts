import type { Status } from '../../sdk/node/src/status.js';
import { Random } from '../random.js';
import { timesInScope } from '../scope.js';
import { type Customer, ISSUER, KEY, withCustomer } from './customer.js';
import { DAY, Issuer, NOW } from './issuer.js';

const MACHINES = timesInScope(1000);
const TIMEOUT_MS = 900_000;
const HOUR = 3600;

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const active = (certificate?: string) => json(200, { status: 'active', certificate });
const FOREIGN = new Issuer().certificate();

function brokenOff(text: string): ReadableStream {
  return new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(text)),
    pull: (controller) => controller.error(new TypeError('terminated')),
  });
}

/** What takes the place of a good response. */
const OUTAGES: (() => Response)[] = [
  () => {
    throw new TypeError('fetch failed');
  },
  () => {
    throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  },
  () => json(429, { success: false, errors: 'too many requests', status: 429 }),
  () => json(503, { code: 'OVERLOADED' }),
  () => json(500, { status: 'revoked' }),
  () => json(404, { code: 'ROUTE_NOT_FOUND' }),
  () => new Response('<h1>Log in</h1>', { status: 200 }),
  () => new Response(null, { status: 302, headers: { Location: 'https://portal.example' } }),
  () => new Response('{"valid":true,"status":"act', { status: 200 }),
  () => new Response(brokenOff('{"valid":true,"status":"act'), { status: 200 }),
  () => new Response(Buffer.from([0xff, 0x00, 0x7b, 0xfe]), { status: 200 }),
  () => new Response(' '.repeat(70_000), { status: 200 }),
  () => json(200, { status: 'pending' }),
  () => json(200, { status: 'invalid' }),
  // Of an impostor: nobody has signed them.
  () => json(200, { status: 'revoked' }),
  () => json(200, { status: 'suspended', rejection: FOREIGN }),
  () => json(403, { code: 'LICENSE_REVOKED' }),
  () => active(),
  () => json(200, { status: 'active', leaseEndsAt: '2027-01-15T09:00:00.000Z' }),
  () => active(FOREIGN),
];

afterEach(() => jest.restoreAllMocks());

/** Activates, then runs without a good response until the certificate has ended; returns what went wrong. */
async function surviveOutage(customer: Customer, random: Random): Promise<string[]> {
  const fetch = jest.spyOn(globalThis, 'fetch');
  const days = random.between(1, 30);
  const end = NOW + days * DAY;
  fetch.mockImplementation(async () => active(ISSUER.certificate({ days })));
  await customer.license().activate(KEY);

  fetch.mockImplementation(async () => random.of(OUTAGES)());
  const wrong: string[] = [];
  const check = ({ state }: Status) => {
    const expected = customer.now < end ? 'valid' : 'ended';
    if (state !== expected) wrong.push(`${state} ${end - customer.now} s before the end`);
  };
  const program = customer.license();
  while (customer.now < end - 1) {
    check(await program.refresh());
    check(customer.license().status());
    customer.now = Math.min(end - 1, customer.now + random.between(1, 72) * HOUR);
  }
  for (customer.now = end - 1; customer.now <= end + 1; customer.now++) {
    check(await program.refresh());
    check(customer.license().status());
  }

  fetch.mockImplementation(async () => active(ISSUER.certificate({ issuedAt: customer.now })));
  const { state } = await program.refresh();
  if (state !== 'valid') wrong.push(`${state} after the outage`);
  return wrong;
}

describe('R11: an outage as long as certificates last', () => {
  it(
    `stops none of ${MACHINES} machines before its certificate ends, and every one when it ends`,
    async () => {
      const random = new Random(11);
      for (let machine = 0; machine < MACHINES; machine++) {
        await withCustomer(async (customer) => {
          expect([machine, await surviveOutage(customer, random)]).toEqual([machine, []]);
        });
      }
    },
    TIMEOUT_MS,
  );
});
