const LOCAL = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?$/;

/** Seconds since 1970, from 2001 on. */
const UNIX = /^\d{10}$/;

/**
 * A time without an offset, or in Unix seconds, as a timestamp. Other texts stay unchanged, and the import
 * reports what is wrong with them.
 */
export function zonedTime(text: string, timeZone: string): string {
  if (UNIX.test(text)) return new Date(Number(text) * 1_000).toISOString();
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = LOCAL.exec(text) ?? [];
  if (year === undefined) return text;
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(local) || new Date(local).getUTCDate() !== Number(day)) return text;
  // Done twice, because the offset depends on the result.
  const near = local - offsetAt(local, timeZone);
  return new Date(local - offsetAt(near, timeZone)).toISOString();
}

/** Milliseconds by which clocks in a time zone are ahead of UTC. */
function offsetAt(time: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('sv', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return Date.parse(`${format.format(time).replace(' ', 'T')}Z`) - Math.floor(time / 1000) * 1000;
}
