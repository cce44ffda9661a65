import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { IsTimestamp } from './timestamp.decorator.js';

class Probe {
  @IsTimestamp()
  time!: Date;
}

const read = (time: unknown) => plainToInstance(Probe, { time });
const reasons = (time: unknown) =>
  validateSync(read(time)).flatMap(({ constraints }) => Object.values(constraints ?? {}));

describe('IsTimestamp', () => {
  it.each([
    ['2026-01-31T10:15:00Z', '2026-01-31T10:15:00.000Z'],
    ['2026-01-31T10:15:00.5Z', '2026-01-31T10:15:00.500Z'],
    ['2026-01-31T10:15:00.123Z', '2026-01-31T10:15:00.123Z'],
    ['2026-01-31T10:15:00.123999999Z', '2026-01-31T10:15:00.123Z'],
    ['2026-01-31T10:15:00+05:45', '2026-01-31T04:30:00.000Z'],
    ['2026-01-31T23:59:59.999-12:00', '2026-02-01T11:59:59.999Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s as %s', (text, time) => {
    expect(reasons(text)).toEqual([]);
    expect(read(text).time).toEqual(new Date(time));
  });

  it.each<unknown>([
    '',
    ' ',
    'now',
    '2026',
    '2026-01-31',
    '2026-01-31T10:15',
    '2026-01-31T10:15:00',
    '2026-01-31 10:15:00Z',
    '2026-01-31t10:15:00z',
    ' 2026-01-31T10:15:00Z',
    '2026-01-31T10:15:00Z\n',
    '2026-01-31T10:15:00.Z',
    '2026-01-31T10:15:00.1234567890Z',
    '2026-01-31T10:15:00,5Z',
    '2026-01-31T10:15:00+0545',
    '2026-01-31T10:15:00 05:45',
    '2026-01-31T10:15:00+24:00',
    '2026-01-31T10:15:00+05:60',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-01-31T25:00:00Z',
    '2026-01-31T10:60:00Z',
    '2026-01-31T10:15:60Z',
    '2026-1-31T10:15:00Z',
    '+002026-01-31T10:15:00Z',
    '1769854500000',
    'Sat, 31 Jan 2026 10:15:00 GMT',
    // Days that the month does not have.
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-04-31T00:00:00Z',
    ...[0, 1769854500000, true, null, [], ['2026-01-31T10:15:00Z'], {}, { $gt: '' }],
  ])('rejects %j', (value) => {
    expect(reasons(value)).toEqual(['time must be a timestamp like 2026-01-31T10:15:00.000Z']);
  });
});
