import type { Page } from 'playwright-core';
import { PASSWORD } from '../../e2e/developer.js';
import { useReceiver } from '../../e2e/webhooks/receiver.js';
import { describeConsole } from '../console-under-test.js';

describeConsole('S20: A page of another origin, on the same site as the console', (tested) => {
  const developer = tested.useDeveloper();
  let victim: Page;
  let foreign: Page;
  /** Another port of the same host. */
  const server = useReceiver();
  beforeEach(async () => {
    victim = await tested.openAs(developer, '/account');
    await victim.getByText(developer.email).waitFor();
    server.respond = (response) => {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Foreign</title>');
    };
    foreign = await victim.context().newPage();
    foreign.removeAllListeners();
    await foreign.goto(server.url);
  });

  const expectUntouched = async () => {
    await victim.reload();
    await victim.getByText(developer.email).waitFor();
  };

  it('cannot read anything, nor end, refresh or replace the session, by fetch', async () => {
    const { email } = await tested.service.register();
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
        expect(await read(foreign, address, { method, body: content, mode })).toBe('');
      }
    }
    await expectUntouched();
  });

  it('cannot log in, log out or write by a form', async () => {
    const other = await tested.service.register();
    const json = JSON.stringify({ email: other.email, password: PASSWORD, x: '=' });
    const [name = '', value = ''] = json.split('=');
    for (const path of ['/session', '/session/refresh']) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        await submit(foreign, tested.url + path, type, name, value);
      }
    }
    await expectUntouched();
  });

  it('cannot show the console in a frame, nor reach into a window that it opens', async () => {
    expect(await frame(foreign, tested.url)).not.toContain('License console');
    expect(await openWindow(foreign, tested.url)).toBe('unreachable');
  });
});

/** What the page can read of the response; nothing where the browser keeps it from the page. */
function read(
  page: Page,
  url: string,
  init: { method: string; body?: string | undefined; mode: RequestMode },
) {
  return page.evaluate(
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
async function submit(
  page: Page,
  url: string,
  enctype: string,
  name: string,
  value: string,
): Promise<void> {
  await page.evaluate(
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
async function frame(page: Page, url: string): Promise<string> {
  await page.evaluate(
    (address) =>
      new Promise<void>((resolve) => {
        const frame = document.createElement('iframe');
        frame.onload = () => resolve();
        frame.src = address;
        document.body.append(frame);
      }),
    url,
  );
  const frame = page.frames().at(-1);
  return (await frame?.content()) ?? '';
}

/** Opens the console in a window, and tries to read it. */
async function openWindow(page: Page, url: string): Promise<string> {
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate((address) => {
      (window as unknown as { opened: Window | null }).opened = window.open(address);
    }, url),
  ]);
  await opened.getByRole('heading').first().waitFor();
  return page.evaluate(() => {
    const { opened: other } = window as unknown as { opened: Window | null };
    try {
      // Cross-Origin-Opener-Policy cuts the reference; without it, reading would throw.
      return other === null || other.closed ? 'unreachable' : other.document.title;
    } catch {
      return 'unreachable';
    }
  });
}
