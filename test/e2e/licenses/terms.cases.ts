import { ENGINES } from '../../engines.js';
import { START } from '../../fake-clock.js';
import {
  activate,
  addLicense,
  createLicense,
  type CreatedLicense,
  type Developer,
  logIn,
  registerDeveloper,
  validationOf,
} from '../developer.js';
import { everythingOf } from '../everything.js';
import { useApp } from '../use-app.js';

const TIME = 'T23:59:59.999Z';
const DURATIONS = Array.from({ length: 12 }, (_, i) => i + 1);
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const LEAP_YEAR = 2028;

const lastDayOf = (year: number, month: number) =>
  month === 2 && year === LEAP_YEAR ? 29 : DAYS[month - 1]!;
const dateOf = (year: number, month: number, day: number) =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}${TIME}`;

/** The last day of each month of a year that is no leap year, of the leap year after it, and its leap day's eve. */
const ENDS = [LEAP_YEAR - 1, LEAP_YEAR].flatMap((year) =>
  DURATIONS.map((month) => ({ year, month, day: lastDayOf(year, month) })),
);
const DATES = [...ENDS, { year: LEAP_YEAR, month: 2, day: 28 }].sort((a, b) =>
  dateOf(a.year, a.month, a.day) < dateOf(b.year, b.month, b.day) ? -1 : 1,
);

/** The same day so many months later, or the last one of that month. */
function expectedEnd({ year, month, day }: (typeof DATES)[number], months: number): string {
  const last = month + months;
  const [endYear, endMonth] = last > 12 ? [year + 1, last - 12] : [year, last];
  return dateOf(endYear, endMonth, Math.min(day, lastDayOf(endYear, endMonth)));
}

describe.each(ENGINES)('R9: the term of a license on %s', (engine) => {
  const app = useApp(engine);
  let ada: Developer;

  beforeAll(async () => {
    ada = await registerDeveloper(app);
  });
  afterEach(() => app.clock.set(START));

  it(`ends as the specification says from each of ${DATES.length} days and for each duration: ${DATES.length * 12} activations`, async () => {
    const { project } = await createLicense(app, ada);
    const create = (duration: number) => addLicense(app, ada, project, { duration });
    const licenses: CreatedLicense[][] = [];
    while (licenses.length < DATES.length) licenses.push(await Promise.all(DURATIONS.map(create)));
    for (const [i, date] of DATES.entries()) {
      const now = dateOf(date.year, date.month, date.day);
      app.clock.set(now);
      const responses = await Promise.all(licenses[i]!.map((license) => activate(app, license)));

      expect(responses.map(({ body }) => [body.activatedAt, body.expiresAt])).toEqual(
        DURATIONS.map((months) => [now, expectedEnd(date, months)]),
      );
    }
  });

  it('has a correct calendar in its test', () => {
    expect(expectedEnd({ year: 2027, month: 1, day: 31 }, 1)).toBe('2027-02-28T23:59:59.999Z');
    expect(expectedEnd({ year: 2028, month: 2, day: 29 }, 12)).toBe('2029-02-28T23:59:59.999Z');
    expect(expectedEnd({ year: 2027, month: 12, day: 31 }, 2)).toBe('2028-02-29T23:59:59.999Z');
  });

  describe.each([
    ['a day ahead', '2026-02-01T10:15:00.000Z', 'ACTIVE', 'ACTIVE'],
    ['a day behind', '2026-01-30T10:15:00.000Z', 'ACTIVE', 'ACTIVE'],
    ['a year ahead', '2027-01-31T10:15:00.000Z', 'EXPIRED', 'EXPIRED'],
    ['a year behind', '2025-01-31T10:15:00.000Z', 'ACTIVE', 'ACTIVE'],
  ])('with a clock that is %s', (_case, now, half, whole) => {
    let short: CreatedLicense;
    let long: CreatedLicense;

    beforeEach(async () => {
      ada = await registerDeveloper(app);
      [short, long] = await Promise.all([
        createLicense(app, ada, { duration: 6 }),
        createLicense(app, ada, { duration: 12 }),
      ]);
      await Promise.all([activate(app, short), activate(app, long)]);
      app.clock.set(now);
      ada = await logIn(app, ada);
    });

    it('is over or not by the clock, in every response', async () => {
      for (const [license, status] of [
        [short, half],
        [long, whole],
      ] as const) {
        const read = await app.get(`/licenses/${license._id}`, ada);
        const listed = await app.get(`/licenses?status=${status}&limit=100`, ada);
        const activation = await activate(app, license);

        expect(read.body.status).toBe(status);
        expect(listed.body.data).toContainEqual(read.body);
        expect(await validationOf(app, license)).toBe(status.toLowerCase());
        expect(activation.status).toBe(status === 'ACTIVE' ? 200 : 403);
      }
    });

    it('lets every change succeed', async () => {
      const fresh = await createLicense(app, ada);
      const post = (action: string, { _id }: { _id: string }, body: object = {}) =>
        app.post(`/licenses/${_id}/${action}`, body, ada);
      const changes = [
        await activate(app, fresh),
        await post('renew', short, { duration: 1 }),
        await post('reissue', long),
        await post('revoke', fresh),
        await app.patch(`/clients/${fresh.client}`, { name: 'Renamed' }, ada),
        await app.delete(`/projects/${fresh.project}`, ada),
      ];
      const { licenses } = await everythingOf(app, ada);
      const days = (await app.get('/dashboard/summary?days=1', ada)).body.activationsPerDay;

      expect(changes.map(({ status }) => status)).toEqual([200, 200, 201, 200, 200, 204]);
      expect(await validationOf(app, short)).toBe('active');
      expect(await validationOf(app, long)).toBe('revoked');
      expect(licenses.find(({ _id }) => _id === short._id)?.status).toBe('ACTIVE');
      expect(days).toEqual([{ date: now.slice(0, 10), count: expect.any(Number) }]);
    });
  });
});
