import { addDays, daysBetween, startOfDay } from './days.js';

const at = (text: string) => new Date(text);

describe('days', () => {
  it.each([
    ['2026-01-31T00:00:00.000Z', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T23:59:59.999Z', '2026-01-31T00:00:00.000Z'],
    ['1969-12-31T00:00:00.001Z', '1969-12-31T00:00:00.000Z'],
  ])('%s belongs to the day that begins at %s', (time, start) => {
    expect(startOfDay(at(time))).toEqual(at(start));
  });

  it('are 24 hours long in UTC, on every day of a year', () => {
    for (let day = 0; day < 366; day++) {
      const start = addDays(at('2026-01-01T12:00:00.000Z'), day);
      expect(addDays(start, 1).getTime() - start.getTime()).toBe(86_400_000);
    }
  });

  it.each([
    ['2026-01-31T00:00:00.000Z', '2026-01-31T23:59:59.999Z', ['2026-01-31']],
    ['2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z', ['2026-01-31', '2026-02-01']],
    [
      '2028-02-28T10:00:00.000Z',
      '2028-03-01T09:00:00.000Z',
      ['2028-02-28', '2028-02-29', '2028-03-01'],
    ],
  ])('from %s to %s include both ends', (first, last, days) => {
    expect(daysBetween(at(first), at(last))).toEqual(days);
  });
});
