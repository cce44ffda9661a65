import { at } from '../../test/builders/time.js';
import { LicenseServices } from '../../test/license-services.js';
import type { Project } from '../projects/project.js';
import type { License } from './license.js';

const DAY = 24 * 60;

describe('LicenseEvents', () => {
  let services: LicenseServices;
  let project: Project;
  let license: License;
  beforeEach(async () => {
    services = new LicenseServices();
    project = await services.project();
    license = await services.license(project);
  });

  const reject = async (minutes: number, reason = 'revoked', of = license) => {
    const details = { data: { reason } };
    const change = await services.events.recordDaily(
      'activation_rejected',
      of,
      reason,
      at(minutes),
      details,
    );
    await services.put(change);
  };

  it('count what is repeated by license, reason and day, with the first time and the last', async () => {
    const other = await services.license(project);
    for (const minutes of [0, 30, 20]) await reject(minutes);
    await reject(40, 'expired');
    await reject(40, 'revoked', other);
    await reject(DAY);
    expect(services.eventsOf(license)).toMatchObject([
      { at: at(0), lastAt: at(30), count: 3, data: { reason: 'revoked' } },
      { at: at(40), lastAt: null, count: 1, data: { reason: 'expired' } },
      { at: at(DAY), lastAt: null, count: 1 },
    ]);
    expect(services.eventsOf(other)).toMatchObject([{ count: 1 }]);
  });
});
