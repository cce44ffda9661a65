import type { Summary } from '../api/types.js';
import { formatDay } from '../shared/time-format.js';
import { Panel } from '../shared/ui/panel.js';
import { texts } from '../texts.js';
import { BarChart } from './bar-chart.js';
import styles from './activations.module.css';
import { DAYS } from './overview-queries.js';
import { Muted } from '../shared/ui/muted.js';

interface Props {
  /** The days of the chart, after as many earlier ones. */
  readonly days: Summary['activationsPerDay'];
}

const sumOf = (days: Props['days']) => days.reduce((sum, { count }) => sum + count, 0);

/** Activations per day, as a chart and as a table. */
export function Activations({ days: all }: Props) {
  const days = all.slice(-DAYS);
  const total = sumOf(days);
  const before = sumOf(all.slice(0, -DAYS));
  const { activations, activationsOf, change, asTable, date, count: countName } = texts.overview;
  return (
    <Panel label={activations}>
      <h2>{activations}</h2>
      <figure>
        <figcaption>
          <Muted isInline>
            {activationsOf(total, DAYS)}
            {before > 0 && `, ${change(total, before)}`}
          </Muted>
        </figcaption>
        <BarChart days={days} />
      </figure>
      <details>
        <summary>{asTable}</summary>
        <table className={styles.plain}>
          <thead>
            <tr>
              <th scope="col">{date}</th>
              <th scope="col">{countName}</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.date}>
                <td>{formatDay(day.date)}</td>
                <td>{day.count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Panel>
  );
}
