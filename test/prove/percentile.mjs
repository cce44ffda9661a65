/** The number of sorted ones that this share of them is below; undefined if there are none. */
export const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
