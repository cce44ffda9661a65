import type { Page } from 'playwright-core';
import { PASSWORD } from '../../e2e/developer.js';
import { describeConsole } from '../console-under-test.js';
import { openWithAuthenticator } from '../virtual-authenticator.js';

describeConsole('Passkeys of Chromium', (tested) => {
  const developer = tested.useDeveloper();

  const create = (page: Page, options: PublicKeyCredentialCreationOptionsJSON) =>
    page.evaluate(async (json) => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
      return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON();
    }, options);
  const get = (page: Page, options: PublicKeyCredentialRequestOptionsJSON) =>
    page.evaluate(async (json) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
      return ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON();
    }, options);

  it('are created, sign in after the password and alone, and confirm', async () => {
    const { service } = tested;
    const { page } = await openWithAuthenticator(tested);
    const { passkeyOptions } = (await service.post('/auth/factors/passkeys/options', {}, developer))
      .body;
    const body = { name: 'Chromium', response: await create(page, passkeyOptions) };
    const added = await service.post('/auth/factors/passkeys', body, developer);
    expect([added.status, added.body.recoveryCodes?.length]).toEqual([201, 10]);

    const { email } = developer;
    const due = (await service.post('/auth/login', { email, password: PASSWORD })).body;
    const response = await get(page, due.passkeyOptions);
    const signIn = { challenge: due.challenge, response };
    expect((await service.post('/auth/login/factor', signIn)).status).toBe(200);
    expect((await service.post('/auth/login/factor', signIn)).status).toBe(401);

    const alone = (await service.post('/auth/login/passkey/options', {})).body.passkeyOptions;
    const login = await service.post('/auth/login/passkey', { response: await get(page, alone) });
    expect([login.status, login.body.user?.email]).toEqual([200, email]);
    const stepUp = (await service.post('/auth/step-up/options', {}, developer)).body.passkeyOptions;
    const confirmation = { response: await get(page, stepUp) };
    expect((await service.post('/auth/step-up', confirmation, developer)).status).toBe(204);
  });
});
