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
    const login = JSON.stringify({ email, password: PASSWORD });
    const json = { 'Content-Type': 'application/json' };
    for (const [method, path, body] of [
      ['GET', '/auth/me'],
      ['GET', '/clients'],
      ['GET', '/console'],
      ['POST', '/console/session/refresh'],
      ['DELETE', '/console/session'],
      ['POST', '/console/session', login],
    ] as const) {
      for (const [mode, headers] of [
        ['cors', json],
        ['no-cors', {}],
      ] as const) {
        // The browser keeps a response from the page by an error, or by an empty text.
        const read = await foreign.evaluate(
          async ({ url, init }) =>
            fetch(url, init)
              .then((response) => response.text())
              .catch(() => ''),
          {
            url: new URL(path, tested.url).href,
            init: { method, mode, headers, body: body ?? null, credentials: 'include' as const },
          },
        );
        expect(read).toBe('');
      }
    }
    await expectUntouched();
  });

  it('cannot log in, log out or write by a form', async () => {
    const { email } = await tested.service.register();
    // As text, the name and the value of a field are JSON together with what stands between them.
    const [name, value] = JSON.stringify({ email, password: PASSWORD, x: '=' }).split('=');
    for (const path of ['/session', '/session/refresh']) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
        await foreign.goto(server.url);
        await foreign.setContent(
          `<form method="post" action="${tested.url}${path}" enctype="${type}">
             <input name='${name}' value='${value}'><button>Submit</button>
           </form>`,
        );
        const response = foreign.waitForResponse(tested.url + path);
        await foreign.getByRole('button').click();
        expect((await response).status()).toBe(403);
      }
    }
    await expectUntouched();
  });

  it('cannot show the console in a frame, nor reach into a window that it opens', async () => {
    await foreign.setContent(`<iframe src="${tested.url}"></iframe>`);
    expect(await foreign.frames().at(-1)!.content()).not.toContain('License console');

    const page = foreign.context().waitForEvent('page');
    const reference = await foreign.evaluateHandle((url) => window.open(url), tested.url);
    await (await page).getByRole('heading').first().waitFor();
    // Cross-Origin-Opener-Policy cuts the reference.
    expect(await reference.evaluate((opened) => opened?.closed)).toBe(true);
  });
});
