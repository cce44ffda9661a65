import { aClient, aProject } from '../../test/builders.js';
import { useServices } from '../../test/services.js';
import { Signers } from '../certificates/signers.service.js';
import { EVENTS } from '../events/event.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { type License, LICENSES } from '../licenses/license.js';
import { LicensesService } from '../licenses/licenses.service.js';
import { UnknownKeyLimiter } from '../limits/unknown-key-limiter.js';
import { type Project, PROJECTS } from '../projects/project.js';
import { remove } from '../storage/changes.js';
import { ActivationService } from './activation.service.js';
import { LicenseCertificates } from './license-certificates.service.js';

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
  const validate = () => the(ActivationService).validate(check(), ADDRESS);
  const issue = (fingerprint = REQUEST.fingerprint) => {
    const request = { ...REQUEST, fingerprint, days: 30 };
    return the(LicenseCertificates).issue(license._id, license.user, request);
  };
  const revoke = () => the(LicensesService).revoke(license._id, license.user, null);

  it('that is rejected has no event where the project is deleted meanwhile, and no failure', async () => {
    await revoke();
    beforeNextCommit(async () => put(remove(PROJECTS, await stored(PROJECTS, project))));
    const { key } = check();
    const outcome = await the(ActivationService).activate({ key }, ADDRESS);
    expect(outcome).toMatchObject({ outcome: 'revoked' });
    expect(outcome).not.toHaveProperty('unrecorded');
    expect(store.all(EVENTS).map(({ type }) => type)).toEqual(['license.revoked']);
  });

  it('is not signed for a license that was revoked while the keys were loaded', async () => {
    await activate();
    const signers = the(Signers);
    const signer = signers.peek(license.user);
    jest.spyOn(signers, 'peek').mockReturnValueOnce(undefined);
    jest.spyOn(signers, 'load').mockImplementationOnce(async () => {
      await revoke();
      return signer;
    });
    expect(await validate()).toMatchObject({ status: 'revoked', certificate: undefined });
  });

  it('is not found where the account was deleted', async () => {
    jest.spyOn(the(Signers), 'load').mockResolvedValue(undefined);
    const count = jest.spyOn(the(UnknownKeyLimiter), 'count');
    expect(await activate()).toEqual({ outcome: 'not_found' });
    expect(await validate()).toEqual({ status: 'invalid' });
    const { key } = check();
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
