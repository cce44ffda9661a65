import type { ReactNode } from 'react';
import type { Operation } from '../api/use-may.js';
import { useWrite } from '../api/use-write.js';
import { DialogButton } from './dialog-button.js';
import { Form } from './form.js';
import { notify } from './notices.js';
import { TypedName } from './typed-name.js';

interface Consequence {
  /** The label of the submit button, and a description of the consequence. */
  readonly submit: string;
  readonly details: ReactNode;
  readonly isDangerous?: boolean;
  /** The text to type first, if several records are affected. */
  readonly typed?: string;
  readonly run: (idempotencyKey: string) => Promise<unknown>;
  /** Called afterwards: a notice to show, or a function that opens another page. */
  readonly done: string | ((result: unknown) => unknown);
}

interface FormProps extends Consequence {
  readonly onClose: () => void;
}

/** The content of a confirmation dialog. */
export function ConfirmationForm(props: FormProps) {
  const { submit, details, isDangerous, typed, run, done, onClose } = props;
  const write = useWrite(
    (_input: undefined, key) => run(key),
    async (result) => {
      onClose();
      if (typeof done === 'string') notify(done);
      else await done(result);
    },
  );
  return (
    <Form
      write={write}
      submit={submit}
      onCancel={onClose}
      isDangerous={isDangerous === true}
      onSubmit={() => write.submit(undefined)}
    >
      {typeof details === 'string' ? <p>{details}</p> : details}
      {typed !== undefined && <TypedName name={typed} />}
    </Form>
  );
}

interface Props extends Omit<Consequence, 'submit'> {
  readonly label: string;
  readonly name?: string;
  readonly title: string;
  readonly operation: Operation;
}

/** A button that asks for confirmation. */
export const ConfirmationButton = ({ label, name, title, operation, ...consequence }: Props) => (
  <DialogButton {...{ label, name, title, operation }}>
    {(close) => <ConfirmationForm submit={label} {...consequence} onClose={close} />}
  </DialogButton>
);
