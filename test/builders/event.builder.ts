import type { License } from '../../src/licenses/license.js';
import { licenseEvent, type LicenseEvent } from '../../src/licenses/license-event.js';
import { at } from './time.js';

/** Something that happened to a license two minutes after the start, unless said otherwise. */
export function anEvent(
  { _id }: Pick<License, '_id'>,
  type: LicenseEvent['type'],
  fields: Partial<LicenseEvent> = {},
): LicenseEvent {
  return { ...licenseEvent({ license: _id, type, at: at(2) }), ...fields };
}
