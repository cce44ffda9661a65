const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day, such as 2026-12-31. */
export const isDay = (value: unknown): value is string =>
  typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value));

/** The time at which a day starts in the reader's time zone. */
export const startOf = (day: string): string => new Date(`${day}T00:00`).toISOString();

/** The time at which the next day starts. */
export function endOf(day: string): string {
  const end = new Date(`${day}T00:00`);
  end.setDate(end.getDate() + 1);
  return end.toISOString();
}
