import fs from 'node:fs';
import type { ImportResult } from '../../imports/dto/import.dto.js';

/** A new file with the outcome of each row, without keys or addresses. */
export class Report {
  readonly file: string;

  constructor(imported: string) {
    let number = 1;
    const name = () => `${imported}.report-${number}.ndjson`;
    while (fs.existsSync(name())) number += 1;
    this.file = name();
    fs.writeFileSync(this.file, '', { flag: 'wx', mode: 0o600 });
  }

  /** @param before the number of earlier rows */
  add(results: readonly ImportResult[], before: number): void {
    const lines = results.map((result, index) => {
      return `${JSON.stringify({ row: before + index + 1, ...result })}\n`;
    });
    fs.appendFileSync(this.file, lines.join(''));
  }
}
