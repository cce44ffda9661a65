/** Maximum of licenses of one project that a step removes. */
export const LICENSES_AT_ONCE = 100;

/** The port by which the licenses of deleted projects are removed from the store. No other port reads them. */
export abstract class DeletedLicensesRepository {
  /**
   * Removes at most {@link LICENSES_AT_ONCE} licenses of each deleted project, with their events. Several instances may
   * do so at the same time. An interrupted removal is resumed by the next call.
   *
   * @param signal ends it before the next project
   */
  abstract removeSome(signal?: AbortSignal): Promise<'removed' | 'nothing_left'>;
}
