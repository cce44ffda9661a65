import type { Page, PageRequest } from '../shared/pagination/page.js';
import type { LicenseEvent } from './license-event.js';

/** The port to the stored events; what tells of a change is stored by the method that makes the change. */
export abstract class LicenseEventsRepository {
  /** A page of the stored events of a license, newest first. */
  abstract list(license: string, page: PageRequest): Promise<Page<LicenseEvent>>;

  /** The ends of terms that a license was renewed after: `termEndedAt` of its events. */
  abstract listTermEnds(license: string): Promise<Date[]>;

  /** Stores an event of rejected activations, or adds it to the one of the same id: its count, and what it says last. */
  abstract recordRejection(event: LicenseEvent): Promise<void>;
}
