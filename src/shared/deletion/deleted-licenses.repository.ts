/** Maximum of licenses deleted in one transaction, each with its events. */
export const LICENSES_AT_ONCE = 100;

/** The port by which the licenses of deleted projects are removed from the store. No other port reads them. */
export abstract class DeletedLicensesRepository {
  /**
   * Removes at most {@link LICENSES_AT_ONCE} licenses of each of the earliest deleted projects, with their events.
   * Several instances may do so at the same time. Each transaction leaves the store consistent, so an interrupted
   * removal is resumed by the next call.
   */
  abstract removeSome(): Promise<'removed' | 'nothing_left'>;
}
