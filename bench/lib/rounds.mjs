import { summary } from './statistics.mjs';

/**
 * Measures the service and its limit in turn, so that what else the machine does meets both alike.
 *
 * @param {number} rounds
 * @param {(round: number) => Promise<number>} service how much it does in a second
 * @param {(round: number) => Promise<number>} limit the same of the limit
 * @returns the median of both, and the ratio of each round with the next of the limit
 */
export async function compare(rounds, service, limit) {
  const measured = { service: [], limit: [] };
  for (let round = 0; round < rounds; round++) {
    // Which comes first changes, so that neither always has the quieter half.
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
