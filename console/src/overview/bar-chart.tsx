import type { Summary } from '../api/types.js';
import { formatDay } from '../shared/time-format.js';
import styles from './bar-chart.module.css';

/** The height of the drawing in its own units, and the fraction of a day's width that a bar fills. */
const HEIGHT = 100;
const WIDTH = 0.7;

interface Props {
  readonly days: Summary['activationsPerDay'];
}

/** One bar per day. Screen readers use the table below it. */
export function BarChart({ days }: Props) {
  const scale = roundUp(Math.max(...days.map(({ count }) => count)));
  return (
    <div className={styles.chart} aria-hidden="true">
      <p className={styles.scale}>
        <span>{scale.toLocaleString('en')}</span>
        <span>0</span>
      </p>
      <svg viewBox={`0 0 ${days.length} ${HEIGHT}`} preserveAspectRatio="none">
        {days.map(({ date, count }, index) => {
          const height = (count / scale) * HEIGHT;
          return (
            <rect
              key={date}
              x={index + (1 - WIDTH) / 2}
              y={HEIGHT - height}
              width={WIDTH}
              height={height}
            >
              <title>{`${formatDay(date)}: ${count}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className={styles.days}>
        {[days[0], days.at(-1)].map(
          (day) => day && <span key={day.date}>{formatDay(day.date)}</span>,
        )}
      </p>
    </div>
  );
}

/** The top of the scale: the next 1, 2 or 5 times a power of ten. */
function roundUp(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, highest)));
  const factor = [1, 2, 5].find((step) => step * power >= highest) ?? 10;
  return factor * power;
}
