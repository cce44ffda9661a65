import { type Operation, useMay } from '../api/use-may.js';
import { useWrite } from '../api/use-write.js';
import { download } from './download.js';
import { ErrorNote } from './error-note.js';
import { Waiting } from './waiting.js';

interface Props {
  readonly label: string;
  readonly operation: Operation;
  /** Reads the text to save. */
  readonly read: () => Promise<unknown>;
  readonly file: string;
  readonly type: string;
}

/** Saves the records of a list as a file. */
export function ExportButton({ label, operation, read, file, type }: Props) {
  const may = useMay();
  const write = useWrite(read, (text) => download(String(text), file, type));
  if (!may(operation)) return null;
  return (
    <>
      <button
        type="button"
        aria-disabled={write.isPending}
        onClick={() => write.isPending || write.submit(undefined)}
      >
        {label}
      </button>
      <Waiting wait={write.wait} onStop={write.cancel} />
      {write.error && <ErrorNote error={write.error} />}
    </>
  );
}
