import { licensesShown, MOST_LICENSES, SHOWN } from './dashboard.js';

describe('licensesShown', () => {
  const projects = (...counts: number[]) => counts.map((licensesCount) => ({ licensesCount }));

  it('counts of each project no more than are shown', () => {
    expect(licensesShown(projects())).toBe(0);
    expect(licensesShown(projects(0, 1, SHOWN, SHOWN + 1, 5_000))).toBe(1 + 3 * SHOWN);
  });

  it('is never more than a page has, so that each client fits on one', () => {
    expect(licensesShown(projects(...Array<number>(SHOWN).fill(1_000)))).toBe(MOST_LICENSES);
  });
});
