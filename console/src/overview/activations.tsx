import type { Summary } from '../api/types.js';
import { formatDay } from '../shared/time.js';
import { Panel } from '../shared/ui/panel.js';
import { texts } from '../texts.js';
import { BarChart } from './bar-chart.js';
import styles from './activations.module.css';
import { Muted } from '../shared/ui/muted.js';

interface Props {
  readonly days: Summary['activationsPerDay'];
}

/** Activations per day, as a chart and as a table. */
export function Activations({ days }: Props) {
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const { activations, activationsOf, asTable, date, count: countName } = texts.overview;
  return (
    <Panel label={activations}>
      <h2>{activations}</h2>
      <figure>
        <figcaption>
          <Muted isInline>{activationsOf(total, days.length)}</Muted>
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
