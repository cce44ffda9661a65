import type { License } from '../../src/licenses/license.js';
import { licenseEvent, type LicenseEvent } from '../../src/licenses/license-event.js';
import { at } from './time.js';

/** Something that happened to a license two minutes after the start, unless said otherwise. */
export function anEvent(
  license: Pick<License, '_id' | 'user' | 'project'>,
  type: LicenseEvent['type'],
  fields: Partial<LicenseEvent> = {},
): LicenseEvent {
  return { ...licenseEvent(license, type, at(2)), ...fields };
}
