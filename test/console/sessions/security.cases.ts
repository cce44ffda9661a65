import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { type Developer, PASSWORD } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';

describeConsole('S20: A page of another origin, on the same site as the console', (tested) => {
  let developer: Developer;
  let victim: Page;
  let foreign: ForeignPage;
  beforeEach(async () => {
    developer = await tested.register();
    victim = await tested.openAs(developer, '/account');
    await victim.getByText(developer.email).waitFor();
    foreign = await ForeignPage.open(victim.context());
  });
  afterEach(() => foreign.close());

  const expectUntouched = async () => {
    await victim.reload();
    await victim.getByText(developer.email).waitFor();
  };

  it('cannot read anything, nor end, refresh or replace the session, by fetch', async () => {
    const { email } = await tested.register();
    const body = JSON.stringify({ email, password: PASSWORD });
    for (const [method, path, content] of [
      ['GET', '/auth/me'],
      ['GET', '/clients'],
      ['GET', '/console'],
      ['POST', '/console/session/refresh'],
      ['DELETE', '/console/session'],
      ['POST', '/console/session', body],
    ] as const) {
      for (const mode of ['cors', 'no-cors'] as const) {
        const address = new URL(path, tested.url).href;
        expect(await foreign.fetch(address, { method, body: content, mode })).toBe('');
      }
    }
    await expectUntouched();
  });

  it('cannot log in, log out or write by a form', async () => {
    const other = await tested.register();
    const json = JSON.stringify({ email: other.email, password: PASSWORD, x: '=' });
    const [name = '', value = ''] = json.split('=');
    for (const path of ['/session', '/session/refresh']) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        await foreign.submit(tested.url + path, type, name, value);
      }
    }
    await expectUntouched();
  });

  it('cannot show the console in a frame, nor reach into a window that it opens', async () => {
    expect(await foreign.frame(tested.url)).not.toContain('License console');
    expect(await foreign.openWindow(tested.url)).toBe('unreachable');
  });
});

/** A page that somebody else serves on another port of the same host. */
class ForeignPage {
  private constructor(
    private readonly page: Page,
    private readonly server: http.Server,
  ) {}

  static async open(context: BrowserContext): Promise<ForeignPage> {
    const server = http.createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Foreign</title>');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const page = await context.newPage();
    page.removeAllListeners();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return new ForeignPage(page, server);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** What the page can read of the response; nothing where the browser keeps it from the page. */
  fetch(url: string, init: { method: string; body?: string | undefined; mode: RequestMode }) {
    return this.page.evaluate(
      async ({ address, options }) => {
        try {
          const headers: HeadersInit =
            options.mode === 'cors' ? { 'Content-Type': 'application/json' } : {};
          const { body = null, ...rest } = options;
          const request = { ...rest, body, headers, credentials: 'include' as const };
          return await (await fetch(address, request)).text();
        } catch {
          return '';
        }
      },
      { address: url, options: init },
    );
  }

  /** Submits a form with one field into a frame, and waits for its response. */
  async submit(url: string, enctype: string, name: string, value: string): Promise<void> {
    await this.page.evaluate(
      ({ address, type, field }) =>
        new Promise<void>((resolve) => {
          const frame = document.createElement('iframe');
          frame.name = 'target';
          document.body.replaceChildren(frame);
          const form = document.createElement('form');
          Object.assign(form, { action: address, method: 'post', enctype: type, target: 'target' });
          form.append(Object.assign(document.createElement('input'), field));
          document.body.append(form);
          frame.onload = () => resolve();
          form.submit();
        }),
      { address: url, type: enctype, field: { name, value } },
    );
  }

  /** The text of a frame with an address. */
  async frame(url: string): Promise<string> {
    await this.page.evaluate(
      (address) =>
        new Promise<void>((resolve) => {
          const frame = document.createElement('iframe');
          frame.onload = () => resolve();
          frame.src = address;
          document.body.append(frame);
        }),
      url,
    );
    const frame = this.page.frames().at(-1);
    return (await frame?.content()) ?? '';
  }

  /** Opens the console in a window, and tries to read it. */
  async openWindow(url: string): Promise<string> {
    const [opened] = await Promise.all([
      this.page.context().waitForEvent('page'),
      this.page.evaluate((address) => {
        (window as unknown as { opened: Window | null }).opened = window.open(address);
      }, url),
    ]);
    await opened.getByRole('heading').first().waitFor();
    return this.page.evaluate(() => {
      const { opened: other } = window as unknown as { opened: Window | null };
      try {
        // Cross-Origin-Opener-Policy cuts the reference; without it, reading would throw.
        return other === null || other.closed ? 'unreachable' : other.document.title;
      } catch {
        return 'unreachable';
      }
    });
  }
}
