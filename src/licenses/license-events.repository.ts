import type { Page, PageRequest } from '../shared/pagination/page.js';
import type { LicenseEvent } from './license-event.js';

/**
 * The port to the stored events. The event of a change is stored by the method that makes the change. Events of the
 * {@link BOUNDED_EVENT_TYPES} beyond the newest {@link KEPT_EVENTS} of a license are deleted when one more is stored.
 */
export abstract class LicenseEventsRepository {
  /** A page of the stored events of a license, newest first. */
  abstract list(license: string, page: PageRequest): Promise<Page<LicenseEvent>>;

  /** The ends of the terms after which a license was renewed: `termEndedAt` of its events. */
  abstract listTermEnds(license: string): Promise<Date[]>;

  /**
   * Stores an event of rejected activations. Where one of its id exists, increments its count and updates its
   * time and machine.
   */
  abstract recordRejection(event: LicenseEvent): Promise<void>;
}
