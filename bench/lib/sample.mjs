/** Chooses `count` items, evenly spread over a list, and shuffles them. */
export function sample(list, count) {
  const step = Math.max(1, list.length / count);
  const chosen = [];
  for (let at = 0; at < list.length; at += step) chosen.push(list[Math.floor(at)]);
  for (let last = chosen.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [chosen[last], chosen[other]] = [chosen[other], chosen[last]];
  }
  return chosen;
}
