import type { ImportResult } from './dto/import.dto.js';
import type { RowOutcome } from './row-imports.service.js';

/**
 * The records that the rows of a check would create. A later row cannot reuse the reference, key or
 * external id of an earlier one.
 */
export class PlannedRecords {
  readonly count = { clients: 0, projects: 0, licenses: 0, machines: 0 };
  private readonly taken = new Set<string>();

  /** The outcome of a row that could be created if it were the only one. */
  add(result: ImportResult, { license, newClient, newProject }: RowOutcome): ImportResult {
    const { ref } = result;
    const { importedAs, keyHash, externalId, seats } = license;
    if (!this.take(`ref ${importedAs}`)) return { ref, outcome: 'same', warnings: [] };
    const rejected = { ref, outcome: 'rejected', warnings: [] } as const;
    if (!this.take(`key ${keyHash}`)) {
      return { ...rejected, code: 'KEY_TAKEN', field: 'key', warnings: [] };
    }
    if (externalId !== null && !this.take(`id ${externalId}`)) {
      return { ...rejected, code: 'LICENSE_EXISTS', warnings: [] };
    }
    this.count.licenses += 1;
    this.count.machines += seats;
    if (newClient !== undefined && this.take(`client ${newClient}`)) this.count.clients += 1;
    if (newProject !== undefined && this.take(`project ${newProject}`)) this.count.projects += 1;
    return result;
  }

  private take(name: string): boolean {
    return this.taken.size < this.taken.add(name).size;
  }
}
