import { aProject } from '../../test/builders/project.builder.js';
import { at } from '../../test/builders/time.js';
import { useServices } from '../../test/services.js';
import { EVENTS } from '../events/event.js';
import { LicenseEvents } from './license-events.service.js';

const DAY = 24 * 60;

const { store, the, put, addLicense } = useServices();

it('Repeated events of a license are counted by reason and day, with the first time and the last', async () => {
  const project = aProject();
  const [license, other] = [await addLicense(project), await addLicense(project)];
  const reject = async (minutes: number, reason = 'revoked', of = license) => {
    const details = { data: { reason } };
    const events = the(LicenseEvents);
    await put(await events.recordDaily('activation_rejected', of, reason, at(minutes), details));
  };
  for (const minutes of [0, 30, 20]) await reject(minutes);
  await reject(40, 'expired');
  await reject(40, 'revoked', other);
  await reject(DAY);
  expect(store.all(EVENTS)).toMatchObject([
    { subject: license._id, at: at(0), lastAt: at(30), count: 3, data: { reason: 'revoked' } },
    { subject: license._id, at: at(40), lastAt: null, count: 1, data: { reason: 'expired' } },
    { subject: other._id, count: 1 },
    { subject: license._id, at: at(DAY), lastAt: null, count: 1 },
  ]);
});
