/** Expects that each of some calls is rejected because the store is unavailable to it. */
export async function expectUnavailable(calls: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(calls)) {
    const reason = { code: 'STORE_UNAVAILABLE', retryAfter: 1 };
    expect(outcome).toMatchObject({ status: 'rejected', reason });
  }
}
