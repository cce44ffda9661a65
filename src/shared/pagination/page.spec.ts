import { byCreation, pageOf } from './page.js';

const records = [5, 4, 3, 2, 1].map((day) => ({
  _id: String(day).repeat(24),
  createdAt: new Date(Date.UTC(2026, 0, day)),
  name: `record ${day}`,
}));

describe('pageOf', () => {
  it('ends a page at its limit, and continues after its last record', () => {
    const { _id, createdAt } = records[3]!;
    expect(pageOf(records, 4, byCreation)).toEqual({
      data: records.slice(0, 4),
      next: { _id, time: createdAt },
    });
  });

  it('continues by the sort key of the list', () => {
    const positionOf = ({ _id, name }: { _id: string; name: string }) => ({
      _id,
      time: new Date(Number(name.slice(-1))),
    });
    expect(pageOf(records, 2, positionOf).next).toEqual({
      _id: '4'.repeat(24),
      time: new Date(4),
    });
  });

  it.each([
    [5, 5],
    [5, 6],
    [0, 20],
  ])('has no next page if %i records are left and the limit is %i', (left, limit) => {
    const data = records.slice(0, left);
    expect(pageOf(data, limit, byCreation)).toEqual({ data, next: null });
  });
});
