import { aClient, aProject } from '../../test/builders.js';
import { useServices } from '../../test/services.js';
import { CLIENTS } from '../clients/client.js';
import { toPlanFields } from '../plans/dto/plan.dto.js';
import { PlansService } from '../plans/plans.service.js';
import { SigningKeysService } from '../certificates/signing-keys/signing-keys.service.js';
import { CountedEvents } from '../events/counted-events.service.js';
import { EVENTS } from '../events/event.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { type License, LICENSES, ownSeats } from '../licenses/license.js';
import { LicensesService } from '../licenses/licenses.service.js';
import { UnknownKeyLimiter } from '../limits/unknown-key-limiter.js';
import { type Project, PROJECTS } from '../projects/project.js';
import { remove } from '../storage/changes.js';
import { ActivationService } from './activation.service.js';
import { LicenseCertificates } from './license-certificates.service.js';
import { LicenseChecks } from './license-checks.service.js';
import { revocation } from '../licenses/license-changes.js';

const ADDRESS = '192.0.2.1';
const REQUEST = { product: 'shop', fingerprint: 'fingerprint-of-the-office' };

describe('An activation and its certificate', () => {
  const { store, clock, the, put, stored, add, addAccount, addLicense, change, beforeNextCommit } =
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
  const revoke = () => the(LicensesService).change(license._id, license.user, revocation());

  it('that is rejected stores no event if the project is deleted at the same time, and does not fail', async () => {
    await revoke();
    beforeNextCommit(async () => put(remove(PROJECTS, await stored(PROJECTS, project))));
    const { key } = check();
    const rejected = { code: 'LICENSE_REVOKED' };
    await expect(the(ActivationService).activate({ key }, ADDRESS)).rejects.toMatchObject(rejected);
    await the(CountedEvents).step();
    expect(store.all(EVENTS).map(({ type }) => type)).toEqual(['license.revoked']);
  });

  it('contains the current names of client and plan, which a validation reads in the same tick as the license', async () => {
    const client = await add(CLIENTS, aClient({ owner: license.user }));
    const fields = toPlanFields({ name: 'Team', perpetual: true, services: ['Hosting'] });
    const plan = await the(PlansService).create(license.user, fields);
    const seatsOf = ownSeats(license.keyHash);
    await change(LICENSES, license, { client: client._id, plan: plan._id, seatsOf });
    const namesIn = ({ certificate }: { certificate?: string | undefined }) =>
      JSON.parse(Buffer.from(certificate!.split('.')[1]!, 'base64url').toString()) as object;
    expect(namesIn(await activate())).toMatchObject({
      license: { licensee: client.name, plan: plan.name },
    });
    await change(CLIENTS, client, { name: 'Renamed' });
    const find = jest.spyOn(store, 'find');
    const validated = validate();
    expect(find).toHaveBeenCalledTimes(5);
    const named = { licensee: 'Renamed', plan: plan.name };
    expect(namesIn(await validated)).toMatchObject({ license: named });
    expect(find).toHaveBeenCalledTimes(5);
    await change(LICENSES, await stored(LICENSES, license), { plan: null });
    expect(namesIn(await validate())).not.toHaveProperty('license.plan');
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

  it('is not found if the account was deleted', async () => {
    jest.spyOn(the(SigningKeysService), 'loadSigner').mockResolvedValue(undefined);
    const count = jest.spyOn(the(UnknownKeyLimiter), 'count');
    await expect(activate()).rejects.toMatchObject({ code: 'LICENSE_NOT_FOUND' });
    expect(await validate()).toMatchObject({ status: 'invalid' });
    const key = check().key.toUpperCase();
    expect(count.mock.calls).toEqual(Array(2).fill([ADDRESS, key]));
  });

  it('is not issued for another machine, or in the last second of the license', async () => {
    clock.advance({ seconds: 0.5 });
    await activate();
    const bound = { code: 'LICENSE_BOUND_ELSEWHERE' };
    await expect(issue('another-machine-1')).rejects.toMatchObject(bound);
    const { expiresAt } = await stored(LICENSES, license);
    clock.set(new Date(expiresAt.getTime() - 1).toISOString());
    await expect(issue()).rejects.toMatchObject({ code: 'LICENSE_TERM_ENDED' });
  });
});
