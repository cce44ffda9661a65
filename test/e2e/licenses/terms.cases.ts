import { START } from '../../fake-clock.js';
import { statusesOf } from '../at-once.js';
import { activate, createLicense, moveTo, validationOf } from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';

// Every day of twelve years and every duration are tried in src/shared/time/add-months.spec.ts.
describe('R9: the term of a license', () => {
  const app = useApp();
  const ada = useDeveloper(app);

  afterEach(() => moveTo(app, ada, START));

  it.each([
    ['a day behind', '2026-01-30T10:15:00.000Z', 'ACTIVE'],
    ['a year behind', '2025-01-31T10:15:00.000Z', 'ACTIVE'],
    ['a day ahead', '2026-02-01T10:15:00.000Z', 'ACTIVE'],
    ['a year ahead', '2027-01-31T10:15:00.000Z', 'EXPIRED'],
  ])(
    'with a clock that is %s is over or not by the clock, and every change succeeds',
    async (_case, now, status) => {
      const [license, other] = [await createLicense(app, ada), await createLicense(app, ada)];
      for (const one of [license, other]) await activate(app, one);
      await moveTo(app, ada, now);
      const read = (await app.get(`/licenses/${license._id}`, ada)).body;
      const query = `status=${status}&projectId=${license.project}`;

      expect(read.status).toBe(status);
      expect((await app.get(`/licenses?${query}`, ada)).body.data).toEqual([read]);
      expect(await validationOf(app, license)).toBe(status.toLowerCase());
      const fresh = await createLicense(app, ada);
      const changes = [
        await activate(app, fresh),
        await app.post(`/licenses/${license._id}/renew`, { duration: 1 }, ada),
        await app.post(`/licenses/${other._id}/reissue`, {}, ada),
        await app.post(`/licenses/${fresh._id}/revoke`, {}, ada),
        await app.patch(`/clients/${fresh.client}`, { name: 'Renamed' }, ada),
        await app.delete(`/projects/${fresh.project}`, ada),
      ];
      expect(statusesOf(changes)).toEqual([200, 200, 201, 200, 200, 204]);
      expect(await validationOf(app, license)).toBe('active');
    },
  );
});
