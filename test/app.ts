import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { AppModule } from '../src/app.module.js';
import { createAdapter, NEST_OPTIONS, setUpApp } from '../src/app.setup.js';
import { PasswordHasher } from '../src/auth/passwords/password-hasher.js';
import { AppFolders } from '../src/app-folders.js';
import { OutgoingMail } from '../src/mail/outgoing-mail.service.js';
import { KeyPairs } from '../src/certificates/signing-keys/key-pairs.service.js';
import { loadConfig } from '../src/shared/config/load-config.js';
import { Capacity } from '../src/http/capacity.js';
import { createLogger, nestLogger } from '../src/shared/logging/logger.js';
import { createMetrics } from '../src/metrics/metrics-server.js';
import { Clock } from '../src/shared/time/clock.js';
import { Deadline } from '../src/shared/request-context.js';
import { cheapPasswords } from './cheap-passwords.js';
import type { LoggedInDeveloper } from './e2e/developer.js';
import { type Engine, newStore, SECRETS, UNHURRIED } from './engines.js';
import { FakeClock } from './fake-clock.js';
import { HttpCaller, PORTAL_URL } from './http-caller.js';
import { NO_LIMITS } from './no-limits.js';
import { watchedKeyPairs } from './watched-key-pairs.js';
import { watchedMail } from './watched-mail.js';

/** The application under test: the real one, with its own store and a frozen clock. */
export class TestApp extends HttpCaller {
  readonly clock = new FakeClock();
  /** Its log, one JSON text per line. */
  readonly log: string[] = [];
  private running: NestFastifyApplication | undefined;
  private dataDir = '';

  /**
   * @param engine the engine of its store
   * @param env variables that override the tests' defaults: no limits, and the loopback as trusted proxy,
   *   so that a test can call from any address
   * @param options `isBounded`: limits requests in progress, as in production;
   *   `argon2`: hashes passwords as in production; `consoleFolder`, `portalFolder`: built apps, absent by default
   */
  constructor(
    private readonly engine: Engine,
    private readonly env: NodeJS.ProcessEnv = {},
    private readonly options: {
      isBounded?: boolean;
      argon2?: boolean;
      consoleFolder?: string;
      portalFolder?: string;
    } = {},
  ) {
    super('');
    Object.values(SECRETS).forEach((secret) => this.secrets.add(secret));
  }

  /** A new running application; `useApp` shares one across the tests of a block. */
  static async start(...parameters: ConstructorParameters<typeof TestApp>): Promise<TestApp> {
    const app = new TestApp(...parameters);
    await app.start();
    return app;
  }

  async start(): Promise<void> {
    const { engine, env, clock } = this;
    const { isBounded = false, argon2 = false, consoleFolder, portalFolder } = this.options;
    this.dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'license-service-'));
    const none = path.join(this.dataDir, 'no app');
    const config = loadConfig({ ...TEST_ENV, DATA_DIR: this.dataDir, ...newStore(engine), ...env });
    const logger = createLogger(config, { write: (line) => this.log.push(line) });
    const metrics = await createMetrics(config);
    const imports = [AppModule.forRoot(config, logger, metrics)];
    const builder = Test.createTestingModule({ imports })
      .overrideProvider(Clock)
      .useValue(clock)
      .overrideProvider(Deadline)
      .useValue(UNHURRIED)
      .overrideProvider(KeyPairs)
      .useFactory(watchedKeyPairs(this.secrets))
      .overrideProvider(OutgoingMail)
      .useFactory(watchedMail(this.secrets))
      .overrideProvider(AppFolders)
      .useValue({ console: consoleFolder ?? none, portal: portalFolder ?? none })
      .setLogger(nestLogger(logger));
    if (!argon2) builder.overrideProvider(PasswordHasher).useValue(cheapPasswords());
    if (!isBounded) builder.overrideProvider(Capacity).useValue(new Capacity(UNBOUNDED));
    const module = await builder.compile();
    this.running = module.createNestApplication<NestFastifyApplication>(
      createAdapter(config, logger, metrics),
      NEST_OPTIONS,
    );
    setUpApp(this.running);
    await this.running.listen(0, '127.0.0.1');
    // Work has no deadline here, so its connection stays open as long as it takes.
    this.running.getHttpServer().timeout = 0;
    this.url = `${await this.running.getUrl()}${config.basePath}`;
  }

  /** Moves the clock, and gives the developer a new session because the first may have ended. */
  async moveTo(developer: LoggedInDeveloper, time: string): Promise<void> {
    this.clock.set(time);
    Object.assign(developer, await this.logIn(developer));
  }

  /** The running application. */
  get nest(): NestFastifyApplication {
    if (!this.running) throw new Error('The application does not run');
    return this.running;
  }

  /** @throws Error if a log line or an error body contains one of the test's secrets (S12) */
  async stop(): Promise<void> {
    await this.nest.close();
    // A test file that keeps this object must not keep the whole application in memory.
    this.running = undefined;
    fs.rmSync(this.dataDir, { recursive: true });
    this.secrets.expectNoneIn(this.log);
  }
}

const ANY_NUMBER = { all: Infinity, ofAddress: Infinity, ofAccount: Infinity };
/** Tests send many requests at once. */
const UNBOUNDED = {
  ...{
    licenseChecks: ANY_NUMBER,
    passwords: ANY_NUMBER,
    webhookUrls: ANY_NUMBER,
    imports: ANY_NUMBER,
    portal: ANY_NUMBER,
    other: ANY_NUMBER,
  },
  healthChecks: undefined,
};

const TEST_ENV = {
  ...SECRETS,
  ...NO_LIMITS,
  LOG_LEVEL: 'trace',
  TRUSTED_PROXIES: '127.0.0.1',
  PORTAL_URL,
  IMPORT: 'true',
  // For webhook receivers started by tests.
  WEBHOOK_NETWORKS: '127.0.0.0/8',
};
