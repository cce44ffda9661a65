const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day, such as 2026-12-31. */
export const isDay = (value: unknown): value is string =>
  typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value));

/** The day on which a time falls in the reader's time zone. */
export const dayOf = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

/** The last second of a day in the reader's time zone. */
export const endOfDay = (day: string): string => new Date(`${day}T23:59:59`).toISOString();

/** The time at which a day starts in the reader's time zone. */
export const startOf = (day: string): string => new Date(`${day}T00:00`).toISOString();

/** The time at which the next day starts. */
export function endOf(day: string): string {
  const end = new Date(`${day}T00:00`);
  end.setDate(end.getDate() + 1);
  return end.toISOString();
}
