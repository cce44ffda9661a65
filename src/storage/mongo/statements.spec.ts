import { runWithDeadline, type StatementOptions } from './statements.js';

afterEach(() => jest.restoreAllMocks());

it('runWithDeadline sets a server-side time limit, however little time is left', async () => {
  const now = 5_000;
  jest.spyOn(performance, 'now').mockReturnValue(now);
  const limitOf = (milliseconds: number) =>
    runWithDeadline(now + milliseconds, async ({ maxTimeMS }: StatementOptions) => maxTimeMS);
  expect(await Promise.all([1_000, 101, 100, 99, 1].map(limitOf))).toEqual([900, 1, 1, 1, 1]);
  await expect(limitOf(0)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
});
