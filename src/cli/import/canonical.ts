import fs from 'node:fs';
import readline from 'node:readline';

/** The rows of an NDJSON file, such as `GET /licenses.ndjson` exports. A line that is no JSON is a row that the import rejects. */
export async function* readCanonical(file: string): AsyncGenerator<unknown> {
  for await (const line of readline.createInterface({ input: fs.createReadStream(file) })) {
    if (line.trim() !== '') yield canonicalLine(line);
  }
}

export function canonicalLine(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}
