import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { type Developer, type LoggedInDeveloper, PASSWORD } from '../e2e/developer.js';
import { freePort } from '../free-port.js';
import { NO_LIMITS } from '../no-limits.js';
import { Operator, type RunningService } from '../smoke/operator.js';
import { findBrowser } from './find-browser.js';

/** Timeout for what a page should show, in milliseconds; a machine under load may be slow. */
const TIMEOUT = 30_000;

const ADDRESS = '127.0.0.1';

/** The built service with its console, and a browser. */
export class ConsoleUnderTest {
  service!: RunningService;
  private operator!: Operator;
  private browser!: Browser;
  private port!: number;
  /** The failures that must not occur on any page. */
  private readonly reports: string[] = [];

  async start(): Promise<void> {
    this.port = await freePort(ADDRESS);
    this.operator = new Operator({
      ...NO_LIMITS,
      WEBHOOK_NETWORKS: '127.0.0.0/8',
      PUBLIC_URL: `http://localhost:${this.port}`,
      SHUTDOWN_DRAIN: '0',
      IMPORT: 'true',
      PORTAL_URL: this.portalUrl,
    });
    await this.startService();
    this.browser = await chromium.launch({
      executablePath: String(findBrowser(process.env)),
      // Chromium has no sandbox for root, and containers run tests as root.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.operator.leave();
  }

  /** Starts the service, on the same port each time. */
  async startService(env: NodeJS.ProcessEnv = {}): Promise<void> {
    this.service = await this.operator.start({ PORT: String(this.port), ...env });
  }

  /** Another service, below a path. */
  startBelow(basePath: string): Promise<RunningService> {
    return this.operator.start({ BASE_PATH: basePath, DATA_DIR: 'below' });
  }

  /** Browsers find every name below localhost on this machine. */
  get portalUrl(): string {
    return `http://portal.localhost:${this.port}`;
  }

  get url(): string {
    return `http://${ADDRESS}:${this.port}/console`;
  }

  /** The console at PUBLIC_URL, where passkeys work. */
  get publicUrl(): string {
    return this.url.replace(ADDRESS, 'localhost');
  }

  /** An absolute path in the folder of the service. */
  path(name: string): string {
    return this.operator.path(name);
  }

  /** An empty page of a fresh browser. */
  async newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext(options);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    context.setDefaultTimeout(TIMEOUT);
    context.on('page', (page) => this.watch(page));
    return context.newPage();
  }

  /** The same, on a path of the console. */
  async open(path = ''): Promise<Page> {
    const page = await this.newPage();
    await page.goto(this.url + path);
    return page;
  }

  /** A page of a fresh browser in which a developer is signed in. */
  async openAs(
    developer: Pick<Developer, 'email'>,
    path = '',
    options: BrowserContextOptions = {},
  ) {
    const page = await this.newPage(options);
    await this.logIn(page, developer);
    await page.goto(this.url + path);
    return page;
  }

  /** Registers a developer before each test of the calling block; its fields are available only in tests and later hooks. */
  useDeveloper(): LoggedInDeveloper {
    const developer = {} as LoggedInDeveloper;
    beforeEach(async () => Object.assign(developer, await this.service.register()));
    return developer;
  }

  /** Gives the browser of a page the cookie of a session. */
  async logIn(page: Page, { email }: Pick<Developer, 'email'>): Promise<void> {
    const { headers } = await this.service.post('/console/session', { email, password: PASSWORD });
    const [name = '', value = ''] = String(headers.getSetCookie()[0]).split(';')[0]!.split('=');
    const cookie = { name, value, domain: ADDRESS, path: '/console/session' };
    await page.context().addCookies([{ ...cookie, httpOnly: true, sameSite: 'Strict' }]);
  }

  /** Closes all pages, and checks that no policy was violated, no script failed, and no other origin was requested. */
  async closePages(): Promise<void> {
    await Promise.all(this.browser.contexts().map(close));
    expect(this.reports.splice(0)).toEqual([]);
  }

  private watch(page: Page): void {
    page.on('pageerror', (error) => this.reports.push(`Script failed: ${error.stack}`));
    page.on('dialog', (dialog) => this.reports.push(`Dialog: ${dialog.message()}`));
    page.on('console', (message) => {
      if (/policy|trusted/i.test(message.text())) this.reports.push(message.text());
    });
    page.on('request', (request) => {
      const isForeign = new URL(request.url()).origin !== new URL(page.url()).origin;
      if (isForeign && !request.isNavigationRequest())
        this.reports.push(`Request: ${request.url()}`);
    });
  }
}

let shared: ConsoleUnderTest | undefined;

/**
 * Like `describe`, with the console in a browser; skipped without a browser. The tests of a spec file share one service and one
 * browser, because starting them takes a while.
 */
export function describeConsole(name: string, tests: (tested: ConsoleUnderTest) => void): void {
  const describeHere = findBrowser(process.env) === undefined ? describe.skip : describe;
  if (shared === undefined) {
    const started = (shared = new ConsoleUnderTest());
    beforeAll(() => started.start());
    afterAll(() => started.stop());
  }
  const tested = shared;
  describeHere(name, () => {
    afterEach(() => tested.closePages());
    tests(tested);
  });
}

/** Closes a context. Pages may still be requesting something that a test routed; after closing them, that is not a failure. */
async function close(context: BrowserContext): Promise<void> {
  const routed = [context, ...context.pages()];
  await Promise.all(routed.map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.close();
}
