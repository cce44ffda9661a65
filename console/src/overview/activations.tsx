import { useState } from 'react';
import type { Summary } from '../api/types.js';
import { formatDay } from '../shared/time-format.js';
import { Actions } from '../shared/ui/actions.js';
import { Panel, PanelHead } from '../shared/ui/panel.js';
import { texts } from '../texts.js';
import { BarChart } from './bar-chart.js';
import styles from './activations.module.css';
import { DAYS } from './overview-queries.js';
import { Muted } from '../shared/ui/muted.js';

interface Props {
  /** The days in the chart; the same number of days before them are for comparison. */
  readonly days: Summary['activationsPerDay'];
}

/** The numbers of days to choose from. */
const RANGES = [7, DAYS];

const sumOf = (days: Props['days']) => days.reduce((sum, { count }) => sum + count, 0);

/** Activations per day, as a chart and as a table. */
export function Activations({ days: all }: Props) {
  const [range, setRange] = useState(DAYS);
  const days = all.slice(-range);
  const total = sumOf(days);
  const before = sumOf(all.slice(-2 * range, -range));
  const { activations, activationsOf, change, asTable, date, count: countName } = texts.overview;
  return (
    <Panel label={activations}>
      <PanelHead title={activations}>
        <Actions>
          {RANGES.map((one) => (
            <button
              key={one}
              type="button"
              className={styles.range}
              aria-pressed={one === range}
              onClick={() => setRange(one)}
            >
              {texts.overview.days(one)}
            </button>
          ))}
        </Actions>
      </PanelHead>
      <figure>
        <figcaption>
          <Muted isInline>
            {activationsOf(total, range)}
            {before > 0 && `, ${change(total, before, range)}`}
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
