import { setTimeout } from 'node:timers/promises';
import { registerDeveloper } from '../../e2e/developer.js';
import type { HttpCaller, HttpResponse } from '../../http-caller.js';
import type { Random } from '../../random.js';
import { differing, readAll } from '../killed/compare.js';
import { Journal, type KnownLicense, type Write } from '../killed/journal.js';
import { send } from '../killed/round.js';
import { anyWrite, FINGERPRINT, type Share } from '../killed/writes.js';

const ACCOUNTS = 4;
const CALLERS_AN_ACCOUNT = 4;
/** Pause before a rejected request is sent again, in milliseconds: shorter than `Retry-After`. */
const PAUSE = 200;
/** Longest time for which a request is sent again, in milliseconds. */
const GIVE_UP = 120_000;

/** Endpoints on which the specification has a 500 for any failure. */
const SPECIFIED_500 = ['/clients', '/projects/createProject', '/validate/activate'];
/** Besides validations: what other commands do than writes do. */
const READS = ['/dashboard', '/licenses?limit=100', '/health/ready', '/auth/me'];

const TEMPORARY = [
  ...['STORE_UNAVAILABLE', 'OVERLOADED', 'TOO_MANY_CONCURRENT_REQUESTS'],
  // Of readiness alone.
  'SHUTTING_DOWN',
];

/** Whether a response says, as documented, that the request may be sent again later. */
export function isTemporary(path: string, { status, headers, body }: HttpResponse): boolean {
  // Load balancers probe readiness, and have an interval of their own.
  if (!headers.has('retry-after') && path !== '/health/ready') return false;
  return TEMPORARY.includes(body?.code) || (status === 500 && SPECIFIED_500.includes(path));
}

/** Callers that write and validate through nginx, and send each request again until it is accepted, as clients do. */
export class Load {
  responses = 0;
  rejected = 0;
  /** The longest time until a response, in milliseconds. */
  slowest = 0;
  readonly failures: string[] = [];
  private isOver = false;
  private callers: Promise<void>[] = [];

  private constructor(
    private readonly service: HttpCaller,
    private readonly random: Random,
    private readonly journals: readonly Journal[],
  ) {}

  static async begin(service: HttpCaller, random: Random): Promise<Load> {
    const users = Array.from({ length: ACCOUNTS }, () => registerDeveloper(service));
    const journals = (await Promise.all(users)).map((user) => new Journal(user));
    const load = new Load(service, random, journals);
    load.callers = journals.flatMap((journal) =>
      Array.from({ length: CALLERS_AN_ACCOUNT }, () => load.call(journal)),
    );
    return load;
  }

  get acknowledged(): number {
    return this.journals.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  /** Ends once every write is acknowledged, and compares all records with what was acknowledged. */
  async end(contradictions: () => Promise<string[]>): Promise<void> {
    this.isOver = true;
    await Promise.all(this.callers);
    const comparing = this.journals.map(async (journal) =>
      differing(journal, await readAll(this.service, journal.user.token)),
    );
    this.failures.push(...(await Promise.all(comparing)).flat());
    this.failures.push(...(await contradictions()));
  }

  private async call(journal: Journal): Promise<void> {
    const share: Share = { clients: [], projects: [] };
    while (!this.isOver) {
      const write = anyWrite(this.random, journal, share);
      journal.inFlight.add(write);
      if (!(await this.write(journal, write))) return;
      await this.useAgain(journal, write);
      const path = this.random.of(READS);
      await this.untilAccepted('GET', path, () => this.service.get(path, journal.user));
    }
  }

  /** Requests whose responses follow from an acknowledged write. */
  private async useAgain(journal: Journal, { license, path, body }: Write): Promise<void> {
    const known = journal.licenses.get(String(license));
    if (known) await this.validate(known);
    // A transaction that its work ends: the e-mail address is taken.
    const create = () => this.service.post(path, body, journal.user);
    if (path === '/clients') {
      await this.untilAccepted('POST', path, create, ({ status }) => status === 409);
    }
  }

  private async write(journal: Journal, write: Write): Promise<boolean> {
    const { method, path } = write;
    const response = await this.untilAccepted(method, path, () =>
      send(this.service, journal, write),
    );
    if (!response) return false;
    journal.acknowledge(write, response);
    return true;
  }

  /** No other caller changes the license, so the status is what was acknowledged. */
  private async validate({ record: { key, status } }: KnownLicense): Promise<void> {
    const response = await this.untilAccepted('POST', '/validate', () =>
      this.service.post('/validate', { key, fingerprint: FINGERPRINT }),
    );
    const { valid } = response?.body ?? {};
    if (response && valid !== (status === 'ACTIVE')) {
      this.failures.push(`a license that is ${status} has valid: ${valid}`);
    }
  }

  private async untilAccepted(
    method: string,
    path: string,
    request: () => Promise<HttpResponse>,
    accepts = ({ status }: HttpResponse) => status < 300,
  ): Promise<HttpResponse | undefined> {
    const begun = performance.now();
    for (let tries = 1; performance.now() - begun < GIVE_UP; tries++) {
      const sent = performance.now();
      const response = await request().catch((error: Error) => error);
      this.slowest = Math.max(this.slowest, performance.now() - sent);
      this.responses += 1;
      if (response instanceof Error) {
        this.failures.push(`${response.message} at ${method} ${path}`);
        return undefined;
      }
      // The first attempt may have deleted it.
      const isGone = method === 'DELETE' && tries > 1 && response.status === 404;
      if (accepts(response) || isGone) return response;
      if (!isTemporary(path, response)) {
        const body = JSON.stringify(response.body);
        this.failures.push(`${response.status} to ${method} ${path}, attempt ${tries}: ${body}`);
        return undefined;
      }
      this.rejected += 1;
      await setTimeout(PAUSE);
    }
    this.failures.push(`${method} ${path} was rejected for ${GIVE_UP} ms`);
    return undefined;
  }
}
