import { setTimeout } from 'node:timers/promises';
import type { Developer } from '../../e2e/developer.js';
import type { HttpCaller, HttpResponse } from '../../http-caller.js';
import type { Random } from '../../random.js';
import { isTemporary } from '../is-temporary.js';
import { PatientCaller } from '../patient-caller.js';
import { times } from '../prove.js';
import { differing, readAll } from './compare.js';
import { Journal, type KnownLicense, type Write } from './journal.js';
import { anyWrite, FINGERPRINT, type Share } from './writes.js';

const ACCOUNTS = times({ short: 2, long: 4 });
const CALLERS_AN_ACCOUNT = times({ short: 2, long: 4 });
/** Pause before a rejected request is sent again, in milliseconds: shorter than `Retry-After`. */
const PAUSE = 200;
/** Longest time for which a request is sent again, in milliseconds. */
const GIVE_UP = 120_000;
/** The number of acknowledged writes of each account that are sent again at the end. */
const REPEATS = 3;

/** Besides validations: what other commands do than writes do. */
const READS = ['/dashboard', '/licenses?limit=100', '/health/ready', '/auth/me'];

/** The service that is called, and the store below it. */
export interface Target {
  readonly service: HttpCaller;
  /** Whether the work breaks connections. */
  readonly breaksConnections?: boolean;
  readonly contradictions: () => Promise<string[]>;
  /** Sets up a new account before it is used. */
  readonly prepare?: (user: Developer) => Promise<unknown>;
}

/** Callers that write and validate, and send each request again until it is accepted, as clients do. */
export class Load {
  rejected = 0;
  /** The longest time until a response, in milliseconds. */
  slowest = 0;
  failures: string[] = [];
  private isOver = false;
  private isBroken = false;

  private constructor(
    private readonly service: HttpCaller,
    private readonly random: Random,
    readonly journals: readonly Journal[],
  ) {}

  /** Calls while something happens. Every write must be acknowledged in the end, and all records be as acknowledged. */
  static async during(
    what: string,
    target: Target,
    random: Random,
    work: () => Promise<unknown>,
  ): Promise<Load> {
    const { service, breaksConnections = false } = target;
    const users = Array.from({ length: ACCOUNTS }, async () => {
      const user = await new PatientCaller(service).register();
      await target.prepare?.(user);
      return user;
    });
    const journals = (await Promise.all(users)).map((user) => new Journal(user));
    const load = new Load(service, random, journals);
    const callers = journals.flatMap((journal) =>
      Array.from({ length: CALLERS_AN_ACCOUNT }, () => load.call(journal)),
    );
    await setTimeout(random.between(300, 800));
    load.isBroken = breaksConnections;
    await work();
    load.isOver = true;
    await Promise.all(callers);
    await Promise.all(journals.map((journal) => load.repeat(journal)));
    load.failures.push(...(await load.compare()), ...(await target.contradictions()));
    load.failures = load.failures.map((text) => `${what}: ${text}`);
    return load;
  }

  /** The differences of all records from what was acknowledged. */
  async compare(): Promise<string[]> {
    const found: string[] = [];
    const service = new PatientCaller(this.service);
    for (const journal of this.journals) {
      found.push(...differing(journal, await readAll(service, journal.user.token)));
    }
    return found;
  }

  get acknowledged(): number {
    return this.journals.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  private async call(journal: Journal): Promise<void> {
    const share: Share = { clients: [], projects: [] };
    while (!this.isOver) {
      const write = anyWrite(this.random, journal, share);
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
    const response = await this.send(journal, write);
    if (!response) return false;
    journal.acknowledge(write, response);
    return true;
  }

  /** Sends acknowledged writes again: each must get its first response. */
  private async repeat(journal: Journal): Promise<void> {
    for (let i = 0; i < REPEATS && journal.repeatable.length > 0; i++) {
      const { write, response } = this.random.of(journal.repeatable);
      const again = await this.send(journal, write);
      const [first, second] = [response, again].map((one) => JSON.stringify(one?.body));
      if (first !== second) this.failures.push(`${write.path} repeated: ${second}, not ${first}`);
    }
  }

  /** Sends a write, with its idempotency key if it has one. */
  private send({ user }: Journal, { method, path, body, idempotencyKey }: Write) {
    const headers = idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {};
    const call = { token: user.token, headers };
    return this.untilAccepted(method, path, () =>
      this.service.send(method, path, body && JSON.stringify(body), call),
    );
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
      const response = await request().catch((error: Error) => error.message);
      this.slowest = Math.max(this.slowest, performance.now() - sent);
      if (typeof response === 'string') {
        if (!this.isBroken) {
          this.failures.push(`${response} at ${method} ${path}`);
          return undefined;
        }
        this.rejected += 1;
        await setTimeout(PAUSE);
        continue;
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
