import { endOfLicense, type License, startsOnActivation } from '../licenses/license.js';

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * The term of a license in words: `12 months from first use`, `until 4 May 2027`, `perpetual`.
 *
 * @param isTrial whether its plan allows one use per machine
 */
export function termText(license: License, isTrial: boolean): string {
  const { duration, days } = license;
  const end = endOfLicense(license);
  if (!end) return 'perpetual';
  if (!startsOnActivation(license)) return `${isTrial ? 'trial ' : ''}until ${DATE.format(end)}`;
  const [count, unit] = duration === null ? [days!, 'day'] : [duration, 'month'];
  return isTrial
    ? `${count}-${unit} trial from first use`
    : `${count} ${unit}${count === 1 ? '' : 's'} from first use`;
}
