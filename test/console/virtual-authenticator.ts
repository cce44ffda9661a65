import type { ConsoleUnderTest } from './console-under-test.js';

/** A page at PUBLIC_URL, in a browser with a virtual authenticator (WebAuthn over CDP). Its user agrees to whatever the page asks. */
export async function openWithAuthenticator(tested: ConsoleUnderTest, path = '') {
  const page = await tested.newPage();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const capabilities = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true };
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', ...capabilities },
  });
  await page.goto(tested.publicUrl + path);
  /** Whether the user reacts to requests that begin from now on. */
  const setPresent = (enabled: boolean) =>
    cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  return { page, setPresent };
}
