import { useMay } from '../api/use-may.js';
import { useWrite } from '../api/use-write.js';
import { ErrorNote } from '../shared/error-note.js';
import { notify } from '../shared/notices.js';
import buttons from '../shared/ui/button.module.css';
import { texts } from '../texts.js';
import { restore } from './bin-queries.js';

interface Props {
  readonly id: string;
  readonly name: string;
}

/** The button that undoes a deletion, next to its notice. */
function Undo({ id, name }: Props) {
  const may = useMay();
  const { submit, isPending, error } = useWrite(
    (_input: undefined, key) => restore(id, key),
    () => notify(texts.restored(name)),
  );
  if (!may('restore')) return null;
  const undo = () => {
    if (!isPending) submit(undefined);
  };
  return (
    <>
      {error && <ErrorNote error={error} />}
      <button type="button" className={buttons.quiet} aria-disabled={isPending} onClick={undo}>
        {texts.undo}
      </button>
    </>
  );
}

/** Announces that a record was deleted and offers to undo it. */
export const notifyDeleted = ({ id, name }: Props): void =>
  notify(texts.deleted(name), <Undo id={id} name={name} />);
