import { type Operation, useMay } from '../api/use-may.js';
import type { Write } from '../api/use-write.js';
import { ErrorNote } from '../shared/error-note.js';
import { Waiting } from '../shared/waiting.js';

interface Props {
  readonly label: string;
  /** What it submits. */
  readonly operation: Operation;
  readonly write: Write;
  readonly onClick: () => void;
}

/** A button that submits a write at once, for those who may. */
export function WriteButton({ label, operation, write, onClick }: Props) {
  const may = useMay();
  if (!may(operation)) return null;
  const { isPending, error, wait, cancel } = write;
  return (
    <>
      <button
        type="button"
        className="nowrap"
        aria-disabled={isPending}
        onClick={() => {
          if (!isPending) onClick();
        }}
      >
        {label}
      </button>
      <Waiting wait={wait} onStop={cancel} />
      {error && <ErrorNote error={error} />}
    </>
  );
}
