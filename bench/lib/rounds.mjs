import { summary } from './statistics.mjs';

/**
 * Measures the service and its limit alternately, so that other load on the machine affects both alike.
 *
 * @param {number} rounds after a first round of each, which only warms up: its number is `rounds`
 * @param {(round: number) => Promise<number>} service measures a round, in operations a second
 * @param {(round: number) => Promise<number>} limit
 * @returns the summaries of both, and of the ratios of the rounds
 */
export async function compare(rounds, service, limit) {
  await service(rounds);
  await limit(rounds);
  const measured = { service: [], limit: [] };
  for (let round = 0; round < rounds; round++) {
    // The order alternates, so that neither always runs first.
    const order = round % 2 === 0 ? ['service', 'limit'] : ['limit', 'service'];
    for (const name of order) {
      measured[name].push(await (name === 'service' ? service : limit)(round));
    }
  }
  return {
    service: summary(measured.service),
    limit: summary(measured.limit),
    ratio: summary(measured.service.map((value, round) => value / measured.limit[round])),
  };
}
