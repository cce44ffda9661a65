/**
 * Adds whole months in UTC. A day that the resulting month does not have becomes that month's last
 * day: 31 January + 1 month is 28 or 29 February. The time of day stays.
 */
export function addMonths(start: Date, months: number): Date {
  const result = new Date(start);
  // Every month has a first day, so this cannot overflow into the next month.
  result.setUTCMonth(start.getUTCMonth() + months, 1);
  const lastDay = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0));
  result.setUTCDate(Math.min(start.getUTCDate(), lastDay.getUTCDate()));
  return result;
}
