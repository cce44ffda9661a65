import { useEffect, useRef } from 'react';
import { Checkbox, FieldGroup } from './fields.js';
import styles from './checkbox-group.module.css';
import { Checkboxes } from './ui/checkboxes.js';

interface Props<Option extends string> {
  readonly label: string;
  readonly hint?: string;
  /** Of the operation that the form submits. */
  readonly input: { readonly name: string; readonly options: readonly Option[] };
  /** Why a form without a choice is not submitted. */
  readonly required: string;
  /** Options that are often chosen together. */
  readonly presets?: readonly { readonly label: string; readonly options: readonly Option[] }[];
}

/** Options of which at least one has to be chosen. */
export function CheckboxGroup<Option extends string>({
  label,
  hint,
  input: { name, options },
  required,
  presets = [],
}: Props<Option>) {
  const group = useRef<HTMLFieldSetElement>(null);
  // HTML cannot say that one of several boxes is required.
  const validate = () => {
    const boxes = [...(group.current?.querySelectorAll('input') ?? [])];
    const isAny = boxes.some(({ checked }) => checked);
    boxes[0]?.setCustomValidity(isAny ? '' : required);
  };
  useEffect(validate, []);
  const choose = (options: readonly string[]) => {
    group.current?.querySelectorAll('input').forEach((box) => {
      if (box.checked !== options.includes(box.value)) box.click();
    });
  };
  return (
    <FieldGroup ref={group} label={label} hint={hint} name={name} onChange={validate}>
      {presets.length > 0 && (
        <div className={styles.presets}>
          {presets.map((preset) => (
            <button key={preset.label} type="button" onClick={() => choose(preset.options)}>
              {preset.label}
            </button>
          ))}
        </div>
      )}
      <Checkboxes>
        {options.map((option) => (
          <Checkbox key={option} label={option} name={name} value={option} />
        ))}
      </Checkboxes>
    </FieldGroup>
  );
}
