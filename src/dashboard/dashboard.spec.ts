import { licensesShown, MOST_LICENSES, SHOWN } from './dashboard.js';

describe('licensesShown', () => {
  const projects = (...counts: number[]) => counts.map((licensesCount) => ({ licensesCount }));

  it('counts at most the shown licenses of each project', () => {
    expect(licensesShown(projects())).toBe(0);
    expect(licensesShown(projects(0, 1, SHOWN, SHOWN + 1, 5_000))).toBe(1 + 3 * SHOWN);
  });

  it('never exceeds the licenses of a page, so that each client fits on one', () => {
    expect(licensesShown(projects(...Array<number>(SHOWN).fill(1_000)))).toBe(MOST_LICENSES);
  });
});
