import { readJsonBody } from '../../shared/fields/json-body.js';
import { linesOf } from './text-file.js';

/**
 * The rows of an NDJSON file, such as an export from `GET /licenses.ndjson`. A line that no request could
 * contain, such as one that is not JSON, becomes a row that the import rejects.
 */
export async function* readCanonical(file: string): AsyncGenerator<unknown> {
  for await (const line of linesOf(file)) {
    if (line.trim() !== '') yield rowOf(line);
  }
}

function rowOf(line: string): unknown {
  try {
    return readJsonBody(Buffer.from(line));
  } catch {
    return null;
  }
}
