import { setTimeout } from 'node:timers/promises';
import { type Developer, LAPTOP } from '../../e2e/developer.js';
import type { Call, HttpCaller, HttpResponse } from '../../http-caller.js';
import type { Random } from '../../random.js';
import { PatientCaller } from '../patient-caller.js';
import { times } from '../prove.js';
import { anyWrite, differing, Journal, type Share, type Write } from './writes.js';

const ACCOUNTS = times({ short: 2, long: 4 });
const CALLERS_AN_ACCOUNT = times({ short: 2, long: 4 });
/** How many acknowledged writes of each account are repeated at the end. */
const REPEATS = 3;

/** In addition to validations: commands that do something other than writing. */
const READS = ['/dashboard', '/licenses?limit=100', '/health/ready', '/auth/me'];

/** The service under load, and its store. */
export interface Target {
  readonly service: HttpCaller;
  /** Whether the work breaks connections. */
  readonly breaksConnections?: boolean;
  /** Whether a proxy retries a deletion on another instance if the first is killed before responding. */
  readonly isProxied?: boolean;
  readonly contradictions: () => Promise<string[]>;
  /** Prepares a new account before use. */
  readonly prepare?: (user: Developer) => Promise<unknown>;
}

/** Callers that write and validate, retrying each request until it is accepted, like clients. */
export class Load {
  failures: string[] = [];
  private isOver = false;
  private isProxied = false;

  private constructor(
    readonly service: PatientCaller,
    private readonly random: Random,
    readonly journals: readonly Journal[],
  ) {}

  /** Calls while something happens. In the end, every write must be acknowledged, and all records must match. */
  static async during(
    what: string,
    target: Target,
    random: Random,
    work: () => Promise<unknown>,
  ): Promise<Load> {
    const service = new PatientCaller(target.service);
    const users = Array.from({ length: ACCOUNTS }, async () => {
      const user = await service.register();
      await target.prepare?.(user);
      return user;
    });
    const journals = (await Promise.all(users)).map((user) => new Journal(user));
    const load = new Load(service, random, journals);
    const callers = journals.flatMap((journal) =>
      Array.from({ length: CALLERS_AN_ACCOUNT }, () => load.call(journal)),
    );
    await setTimeout(random.between(300, 800));
    service.allowsBrokenConnections = target.breaksConnections ?? false;
    load.isProxied = target.isProxied ?? false;
    await work();
    load.isOver = true;
    await Promise.all(callers);
    await Promise.all(journals.map((journal) => load.repeat(journal)));
    load.failures.push(...(await load.compare()), ...(await target.contradictions()));
    load.failures = load.failures.map((text) => `${what}: ${text}`);
    return load;
  }

  /** The differences between all records and what was acknowledged. */
  async compare(): Promise<string[]> {
    const found = this.journals.map((journal) => differing(this.service, journal));
    return (await Promise.all(found)).flat();
  }

  get acknowledged(): number {
    return this.journals.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  private async call(journal: Journal): Promise<void> {
    const share: Share = { clients: [], projects: [] };
    while (!this.isOver) {
      const write = anyWrite(this.random, journal, share);
      const response = await this.write(journal, write);
      if (!response) return;
      journal.acknowledge(write, response);
      await this.useAgain(journal, write);
      await this.send('GET', this.random.of(READS), undefined, journal.user);
    }
  }

  /** Requests whose responses follow from an acknowledged write. */
  private async useAgain(journal: Journal, { license, path, body }: Write): Promise<void> {
    const known = journal.licenses.get(String(license))?.record;
    if (known) {
      const fields = { key: known.key, fingerprint: LAPTOP };
      const response = await this.send('POST', '/validate', fields);
      // No other caller changes the license, so the status must be the acknowledged one.
      if (response && response.body.valid !== (known.status === 'ACTIVE')) {
        this.failures.push(`a license that is ${known.status}: ${JSON.stringify(response.body)}`);
      }
    }
    // A transaction that its own work aborts, because the email address is taken.
    if (path === '/clients') {
      const call = { token: journal.user.token, headers: {} };
      await this.send('POST', path, body, call, ({ status }) => status === 409);
    }
  }

  /** Repeats acknowledged writes: each must get its first response. */
  private async repeat(journal: Journal): Promise<void> {
    for (let i = 0; i < REPEATS && journal.repeatable.length > 0; i++) {
      const { write, response } = this.random.of(journal.repeatable);
      const again = await this.write(journal, write);
      const [first, second] = [response, again].map((one) => JSON.stringify(one?.body));
      if (first !== second) this.failures.push(`${write.path} repeated: ${second}, not ${first}`);
    }
  }

  /** Sends a write, with its idempotency key if it has one. */
  private write({ user }: Journal, { method, path, body, idempotencyKey }: Write) {
    const headers = idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {};
    return this.send(method, path, body, { token: user.token, headers });
  }

  /** Retries a request until it is accepted; undefined if it never is. */
  private async send(
    method: string,
    path: string,
    body: object | undefined,
    call: Call = {},
    accepts = ({ status }: HttpResponse) => status < 300,
  ): Promise<HttpResponse | undefined> {
    try {
      const response = await this.service.send(method, path, body && JSON.stringify(body), call);
      const times = this.service.timesOf(response);
      // The first attempt may have deleted it.
      const isRepeat = method === 'DELETE' && (times > 1 || this.isProxied);
      const isGone = isRepeat && response.status === 404;
      if (accepts(response) || isGone) return response;
      const text = JSON.stringify(response.body);
      throw new Error(`${response.status}, attempt ${times}: ${text}`);
    } catch (error) {
      this.failures.push(`${String(error)} at ${method} ${path}`);
      return undefined;
    }
  }
}
