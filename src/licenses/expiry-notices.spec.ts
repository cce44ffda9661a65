import { aLicense } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { addDays } from '../shared/time/days.js';
import { nextNotice } from './expiry-notices.js';
import { activated, renewed, resumed, suspended } from './license-transitions.js';

const NOW = new Date('2026-01-31T10:15:00.000Z');
const inDays = (days: number) => addDays(NOW, days);
const PENDING = aLicense(aProject(), { duration: null, days: 60 });
const ACTIVE = activated(PENDING, { machineId: 'machine 1' }, NOW);

it.each([
  [60, 0, 30],
  [60, 30, 53],
  [60, 53, 59],
  [60, 59, 60],
  [60, 60, null],
  [14, 0, 7],
  [1, 0, 1],
])('the next notice of a term of %i days after day %i is on day %p', (days, day, notice) => {
  const license = { ...ACTIVE, expiresAt: inDays(days) };
  expect(nextNotice(license, inDays(day))).toEqual(notice === null ? null : inDays(notice));
});

it('there is none of a license without an end, nor of one that was never activated', () => {
  const perpetual = { ...PENDING, duration: null, days: null };
  expect(activated(perpetual, { machineId: 'machine 1' }, NOW).nextNoticeAt).toBeNull();
  expect(PENDING.nextNoticeAt).toBeNull();
});

it('a renewal plans those that are ahead of it', () => {
  const license = { ...ACTIVE, nextNoticeAt: inDays(59) };
  const longer = renewed(license, { duration: null, days: 60 }, inDays(58));
  expect(longer.nextNoticeAt).toEqual(inDays(90));
  expect(renewed(license, { duration: null, days: null }, inDays(58)).nextNoticeAt).toBeNull();
});

it.each([
  ['leaves out those that became due meanwhile', inDays(30), 55, inDays(59)],
  ['keeps the end that came meanwhile', inDays(30), 70, inDays(60)],
  ['plans no end that has been noticed', null, 70, null],
])('a resumption %s', (_what, before, day, after) => {
  const paused = suspended({ ...ACTIVE, nextNoticeAt: before }, inDays(20));
  expect(resumed(paused, inDays(day)).nextNoticeAt).toEqual(after);
});
