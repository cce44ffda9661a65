import { type ComponentProps, type ReactNode, useId } from 'react';
import { useRejection } from './form.js';
import { Muted } from './ui/muted.js';
import styles from './fields.module.css';

interface Described {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly name: string;
}

interface FieldProps extends Described {
  readonly children: (attributes: {
    id: string;
    name: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
  }) => ReactNode;
}

/** A label, its input, a hint, and why the service rejected it. */
function Field({ label, hint, name, children }: FieldProps) {
  const id = useId();
  const rejection = useRejection(name, label);
  const hints = [hint && `${id}-hint`, rejection && `${id}-rejection`].filter(Boolean).join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        name,
        'aria-describedby': hints || undefined,
        'aria-invalid': rejection ? true : undefined,
      })}
      {hint && <Muted id={`${id}-hint`}>{hint}</Muted>}
      {rejection && (
        <p id={`${id}-rejection`} className={styles.rejection} data-rejection>
          {rejection}
        </p>
      )}
    </div>
  );
}

interface GroupProps extends Omit<ComponentProps<'fieldset'>, 'name'>, Described {}

/** Checkboxes that share a name, with a label, a hint, and why the service rejected them. */
export function FieldGroup({ label, hint, name, children, ...fieldset }: GroupProps) {
  const id = useId();
  const rejection = useRejection(name, label);
  return (
    <fieldset {...fieldset} aria-describedby={rejection && id}>
      <legend>{label}</legend>
      {hint && <Muted>{hint}</Muted>}
      {children}
      {rejection && (
        <p id={id} className={styles.rejection} data-rejection>
          {rejection}
        </p>
      )}
    </fieldset>
  );
}

type TextFieldProps = Described & Omit<ComponentProps<'input'>, 'id' | 'name'>;

export function TextField({ label, hint, name, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} name={name}>
      {(attributes) => <input type="text" {...input} {...attributes} />}
    </Field>
  );
}

/** The last day that browsers accept with a four-digit year. */
const LAST_DAY = '9999-12-31';

export const DateField = (props: Omit<TextFieldProps, 'type' | 'max'>) => (
  <TextField {...props} type="date" max={LAST_DAY} />
);

type TextAreaProps = Described & Omit<ComponentProps<'textarea'>, 'id' | 'name'>;

export function TextArea({ label, hint, name, ...input }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} name={name}>
      {(attributes) => <textarea rows={3} {...input} {...attributes} />}
    </Field>
  );
}

type SelectProps = Described & Omit<ComponentProps<'select'>, 'id' | 'name'>;

export function SelectField({ label, hint, name, ...input }: SelectProps) {
  return (
    <Field label={label} hint={hint} name={name}>
      {(attributes) => <select {...input} {...attributes} />}
    </Field>
  );
}

type CheckboxProps = Omit<ComponentProps<'input'>, 'id' | 'type'> &
  Pick<Described, 'label' | 'hint'>;

export function Checkbox({ label, hint, ...input }: CheckboxProps) {
  const id = useId();
  const box = (
    <label className={styles.checkbox}>
      <input type="checkbox" aria-describedby={hint && id} {...input} />
      {label}
    </label>
  );
  if (!hint) return box;
  return (
    <div className={styles.field}>
      {box}
      <Muted id={id}>{hint}</Muted>
    </div>
  );
}
