import { setImmediate } from 'node:timers/promises';
import { aClient, aLicense, aPrincipal, aProject, aUser } from '../../test/builders.js';
import { inRequest } from '../../test/contract/in-request.js';
import { START } from '../../test/fake-clock.js';
import { NONE_IN_USE } from '../machines/machines.service.js';
import type { Clock } from '../shared/time/clock.js';
import { LicensePresenter } from './license.presenter.js';
import type { LicenseKeyService } from './license-key.service.js';
import type { LicenseReader, ShownLicense } from './license-reader.js';

it('LicensePresenter presents one piece per account at a time, so other requests run in between', async () => {
  let revealed = 0;
  const keys = { reveal: () => `KEY-${revealed++}` } as unknown as LicenseKeyService;
  const presenter = new LicensePresenter(keys, {} as LicenseReader, {} as Clock);
  const pageOf = (project = aProject(aClient())): ShownLicense[] => {
    const names = { clientName: 'Acme', projectName: 'Shop' };
    const shown = { license: aLicense(project), names, machines: NONE_IN_USE, at: new Date(START) };
    return Array.from({ length: 100 }, () => shown);
  };
  const [page, ofAnother] = [pageOf(), pageOf()];
  const principal = aPrincipal(aUser());
  const pages = [page, page, page, ofAnother, page].map((one) =>
    inRequest(5_000, () => presenter.presentEach(one), { principal }),
  );
  const pieces: number[] = [];
  while (revealed < 500) {
    const before = revealed;
    await setImmediate();
    pieces.push(revealed - before);
  }
  expect(Math.max(...pieces)).toBeLessThanOrEqual(40);
  expect((await Promise.all(pages)).map((one) => one.length)).toEqual([100, 100, 100, 100, 100]);
});
