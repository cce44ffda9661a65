/**
 * The name that a misspelled one probably stands for: the most similar name, with at most two letters
 * added, missing, wrong or swapped, ignoring case and underscores.
 */
export function closestName(name: string, names: readonly string[]): string | undefined {
  const wanted = plain(name);
  const most = Math.min(2, (wanted.length - 1) / 2);
  const near = names
    .map((one) => ({ one, distance: distanceUpTo(most, wanted, plain(one)) }))
    .filter(({ distance }) => distance <= most);
  return near.sort((a, b) => a.distance - b.distance)[0]?.one;
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '');

/**
 * The Levenshtein distance of two texts, counting swapped neighbors as one change, or Infinity if their
 * lengths alone differ by more.
 */
function distanceUpTo(most: number, one: string, other: string): number {
  if (Math.abs(one.length - other.length) > most) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 0; i < one.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j += 1) {
      const replaced = row[j]! + (one[i] === other[j] ? 0 : 1);
      const isSwapped = j > 0 && one[i] === other[j - 1] && one[i - 1] === other[j];
      const swapped = isSwapped ? before[j - 1]! + 1 : Infinity;
      next.push(Math.min(replaced, swapped, row[j + 1]! + 1, next[j]! + 1));
    }
    before = row;
    row = next;
  }
  return row.at(-1)!;
}
