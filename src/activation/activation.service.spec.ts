import { aClient, aProject } from '../../test/builders.js';
import { useServices } from '../../test/services.js';
import { SigningKeysService } from '../certificates/signing-keys/signing-keys.service.js';
import { EVENTS } from '../events/event.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { type License, LICENSES } from '../licenses/license.js';
import { LicensesService } from '../licenses/licenses.service.js';
import { UnknownKeyLimiter } from '../limits/unknown-key-limiter.js';
import { type Project, PROJECTS } from '../projects/project.js';
import { remove } from '../storage/changes.js';
import { ActivationService } from './activation.service.js';
import { LicenseCertificates } from './license-certificates.service.js';
import { LicenseChecks } from './license-checks.service.js';

const ADDRESS = '192.0.2.1';
const REQUEST = { product: 'shop', fingerprint: 'fingerprint-of-the-office' };

describe('An activation and its certificate', () => {
  const { store, clock, the, put, stored, add, addAccount, addLicense, beforeNextCommit } =
    useServices();
  let project: Project;
  let license: License;
  beforeEach(async () => {
    const { account: owner } = await addAccount();
    project = await add(PROJECTS, aProject(aClient({ owner }), { product: 'shop' }));
    license = await addLicense(project);
  });

  const check = () =>
    ({ key: the(LicenseKeyService).reveal(license), ...REQUEST, certificate: true }) as const;
  const activate = () => the(ActivationService).activate(check(), ADDRESS);
  const validate = () => the(LicenseChecks).validate(check(), ADDRESS);
  const issue = (fingerprint = REQUEST.fingerprint) => {
    const request = { ...REQUEST, fingerprint, days: 30 };
    return the(LicenseCertificates).issue(license._id, license.user, request);
  };
  const revoke = () => the(LicensesService).revoke(license._id, license.user, null);

  it('that is rejected has no event where the project is deleted meanwhile, and no failure', async () => {
    await revoke();
    beforeNextCommit(async () => put(remove(PROJECTS, await stored(PROJECTS, project))));
    const { key } = check();
    const rejected = { code: 'LICENSE_REVOKED', cause: undefined };
    await expect(the(ActivationService).activate({ key }, ADDRESS)).rejects.toMatchObject(rejected);
    expect(store.all(EVENTS).map(({ type }) => type)).toEqual(['license.revoked']);
  });

  it('is not signed for a license that was revoked while the keys were loaded', async () => {
    await activate();
    const keys = the(SigningKeysService);
    const signer = keys.peekSigner(license.user);
    jest.spyOn(keys, 'peekSigner').mockReturnValueOnce(undefined);
    jest.spyOn(keys, 'loadSigner').mockImplementationOnce(async () => {
      await revoke();
      return signer;
    });
    const validated = await validate();
    expect(validated).toMatchObject({ status: 'revoked' });
    expect(validated).not.toHaveProperty('certificate');
  });

  it('is not found where the account was deleted', async () => {
    jest.spyOn(the(SigningKeysService), 'loadSigner').mockResolvedValue(undefined);
    const count = jest.spyOn(the(UnknownKeyLimiter), 'count');
    await expect(activate()).rejects.toMatchObject({ code: 'LICENSE_NOT_FOUND' });
    expect(await validate()).toMatchObject({ status: 'invalid' });
    const key = check().key.toUpperCase();
    expect(count.mock.calls).toEqual(Array(2).fill([ADDRESS, key]));
  });

  it('is not issued for another machine, nor in the last second of the license', async () => {
    clock.advance({ seconds: 0.5 });
    await activate();
    const bound = { code: 'LICENSE_BOUND_ELSEWHERE' };
    await expect(issue('another-machine-1')).rejects.toMatchObject(bound);
    const { expiresAt } = await stored(LICENSES, license);
    clock.set(new Date(expiresAt.getTime() - 1).toISOString());
    await expect(issue()).rejects.toMatchObject({ code: 'LICENSE_TERM_ENDED' });
  });
});
