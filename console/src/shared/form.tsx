import {
  createContext,
  type ReactNode,
  type SubmitEvent,
  use,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Write } from '../api/use-write.js';
import { texts } from '../texts.js';
import { useDraft } from './drafts.js';
import { rejectionsOf } from './error-description.js';
import { ErrorNote } from './error-note.js';
import { notify } from './notices.js';
import buttons from './ui/button.module.css';
import { Foot } from './ui/foot.js';
import { useFirstFocus } from './use-first-focus.js';
import { Waiting } from './waiting.js';

/** Why the service rejected fields of the form, by name. */
const Rejections = createContext<ReturnType<typeof rejectionsOf>>({});

/**
 * Why the service rejected a field.
 *
 * @param name the field's name in the request body, which the service's reasons start with
 * @param label the field's name on the page
 */
export const useRejection = (name: string, label: string): string | undefined =>
  use(Rejections)
    [name]?.map((reason) =>
      reason.startsWith(`${name} `) ? label + reason.slice(name.length) : reason,
    )
    .join(' ');

interface Props {
  readonly write: Write;
  readonly onSubmit: (fields: FormData) => void;
  readonly submit: string;
  /** Set if the form is in a dialog. */
  readonly onCancel?: () => void;
  readonly isDangerous?: boolean;
  readonly children?: ReactNode;
}

/**
 * A form. The browser validates it first, then the service. Only one submission runs at a time; leaving the form cancels
 * it.
 */
export function Form({ write, onSubmit, submit, onCancel, isDangerous, children }: Props) {
  const { isPending, isDone, error, wait, cancel } = write;
  const form = useRef<HTMLFormElement>(null);
  const saveDraft = useDraft(form, submit, isDone);
  useFirstFocus(form, isDangerous);
  const [submitted, setSubmitted] = useState<readonly string[]>([]);
  const [mayBeExecuted, setMayBeExecuted] = useState(false);
  useEffect(
    () => () => {
      if (cancel()) notify(texts.errors.mayBeExecuted);
    },
    [cancel],
  );
  useEffect(() => {
    const rejected = error && form.current?.querySelector('[data-rejection]')?.parentElement;
    rejected?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, [error]);
  const handle = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    setMayBeExecuted(false);
    setSubmitted(visibleFieldsOf(event.currentTarget));
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form ref={form} onSubmit={handle} onChange={saveDraft} aria-busy={isPending}>
      <Rejections value={rejectionsOf(error)}>{children}</Rejections>
      <Foot
        notes={
          <>
            <Waiting wait={wait} onStop={() => setMayBeExecuted(cancel())} />
            {mayBeExecuted && <p role="status">{texts.errors.mayBeExecuted}</p>}
            {error && <ErrorNote error={error} fields={submitted} />}
          </>
        }
      >
        {onCancel && (
          <button type="button" onClick={onCancel}>
            {texts.cancel}
          </button>
        )}
        <button
          type="submit"
          className={isDangerous ? buttons.danger : buttons.primary}
          aria-disabled={isPending}
        >
          {submit}
        </button>
      </Foot>
    </form>
  );
}

/** The names of the visible fields. */
const visibleFieldsOf = ({ elements }: HTMLFormElement): string[] =>
  [...elements].flatMap((element) =>
    element.matches('[name]:not([type=hidden])') ? [element.getAttribute('name') ?? ''] : [],
  );

/** A field of a submitted form, trimmed. */
export const textOf = (fields: FormData, name: string): string => passwordOf(fields, name).trim();

/** A field exactly as entered, because passwords may start or end with spaces. */
export function passwordOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}
