/** A result that is worse than the recorded one by more than this share causes a warning. */
const WORSE = 1 / 3;

export const isMet = ({ value: { median }, target: { least, most } }) =>
  least === undefined ? median <= most : median >= least;

export const figure = (value) => (value >= 10 ? value.toFixed(0) : value.toFixed(2));

export const targetText = ({ target: { least, most }, unit }) =>
  `${least === undefined ? '<=' : '>='} ${least ?? most} ${unit}`.trim();

export const valueText = ({ value: { median }, unit }) => `${figure(median)} ${unit}`.trim();

/** From this share of a core on, the load generator limits the result. */
const SATURATED = 0.9;

/** The rows, and the costliest functions, as text. */
export function table(rows, { functions = [] }) {
  const head = ['measured', 'against', 'to reach', 'result', 'spread', 'service', 'limit', ''];
  const lines = rows.map((row) => [
    ...[row.measured, row.against, targetText(row), valueText(row)],
    `${figure(row.value.least)} to ${figure(row.value.most)}`,
    row.service ? figure(row.service.median) : '',
    row.limit ? figure(row.limit.median) : '',
    isMet(row) ? 'reached' : 'NOT REACHED',
  ]);
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map((line) => line[column].length)),
  );
  const text = [head, ...lines].map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
  for (const { measured, cpuMicroseconds } of rows) {
    if (!cpuMicroseconds) continue;
    const { service, limit } = cpuMicroseconds;
    const times = `service ${figure(service)} µs, limit ${figure(limit)} µs`;
    text.push('', `${measured}: CPU time a request: ${times}, ratio ${figure(limit / service)}`);
  }
  for (const { measured, generatorBusy = {} } of rows) {
    for (const [of, busy] of Object.entries(generatorBusy)) {
      if (busy < SATURATED) continue;
      text.push(
        '',
        `${measured}: with the ${of}, the load generator used ${busy.toFixed(2)} of a core`,
      );
    }
  }
  const costs = functions.map(
    ({ name, microseconds }) => `${microseconds.toFixed(1).padStart(6)} µs  ${name}`,
  );
  if (costs.length > 0)
    text.push('', 'Costliest functions of POST /validate, a request:', ...costs);
  return `${text.join('\n')}\n`;
}

/** A warning for each row that is worse than the recorded one by more than a third. */
export function warnings(rows, recorded) {
  return rows.flatMap((row) => {
    const before = recorded.find(({ id }) => id === row.id);
    if (!before) return [];
    const [now, then] = [row.value.median, before.value.median];
    const isWorse =
      row.target.least === undefined ? now > then / (1 - WORSE) : now < then * (1 - WORSE);
    return isWorse ? [`${row.measured}: ${figure(now)}, recorded ${figure(then)} ${row.unit}`] : [];
  });
}
