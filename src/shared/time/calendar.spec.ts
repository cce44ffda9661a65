import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { transformFileSync } from '@swc/core';
import { addMonths } from './calendar.js';

const DAY = 86_400_000;

describe('addMonths', () => {
  it('agrees with the calendar for 1 to 24 months from every day of twelve years around 2100 (not a leap year)', () => {
    const wrong: string[] = [];
    let pairs = 0;
    for (let day = Date.parse('2094-01-01T23:59:59.999Z'); day < Date.UTC(2106, 0); day += DAY) {
      const start = new Date(day).toISOString();
      for (let months = 1; months <= 24; months++, pairs++) {
        const end = addMonths(new Date(start), months).toISOString();
        if (end !== byCalendar(start, months)) wrong.push(`${start} + ${months} = ${end}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(pairs).toBe(105_168);
  });

  it('returns the same in every time zone of the process', () => {
    const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu', 'Pacific/Apia'];
    const { code } = transformFileSync(path.join(__dirname, 'calendar.ts'), {
      module: { type: 'commonjs' },
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    });
    // Times around the midnights and clock changes of each zone.
    const script = `${code}
      const results = ${JSON.stringify(zones)}.map((zone) => {
        process.env.TZ = zone;
        const ends = [];
        for (let time = Date.UTC(2026, 0); time < Date.UTC(2027, 0); time += 7 * 3_600_000)
          for (const months of [1, 6, 12]) ends.push(addMonths(new Date(time), months).getTime());
        return [new Date(2026, 0).getTimezoneOffset(), ends.join()];
      });
      console.log(JSON.stringify([0, 1].map((part) => new Set(results.map((one) => one[part])).size)));`;
    const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual([zones.length, 1]);
  });
});

/** Adds months by the rules of the Gregorian calendar, without a Date. */
function byCalendar(start: string, months: number): string {
  const [year, month, day] = start.slice(0, 10).split('-').map(Number) as [number, number, number];
  const total = year * 12 + (month - 1) + months;
  const [endYear, endMonth] = [Math.floor(total / 12), (total % 12) + 1];
  const isLeap = (endYear % 4 === 0 && endYear % 100 !== 0) || endYear % 400 === 0;
  const length = endMonth === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(endMonth) ? 30 : 31;
  const digits = (value: number) => String(value).padStart(2, '0');
  return `${endYear}-${digits(endMonth)}-${digits(Math.min(day, length))}${start.slice(10)}`;
}
