import { useEffect, useRef } from 'react';
import { Checkbox, FieldGroup } from './fields.js';
import styles from './checkbox-group.module.css';
import { Checkboxes } from './ui/checkboxes.js';

interface Props<Option extends string> {
  readonly label: string;
  readonly hint?: string;
  /** The limits from the operation that the form submits. */
  readonly input: { readonly name: string; readonly options: readonly Option[] };
  /** A hint for each option. */
  readonly hints?: Readonly<Record<Option, string>>;
  /** The options selected initially. */
  readonly initial?: readonly string[];
  /** The message if no option is selected. */
  readonly required: string;
  /** Options that are often selected together. */
  readonly presets?: readonly { readonly label: string; readonly options: readonly Option[] }[];
}

/** A group of options. The user must select at least one. */
export function CheckboxGroup<Option extends string>({
  label,
  hint,
  input: { name, options },
  hints,
  initial = [],
  required,
  presets = [],
}: Props<Option>) {
  const group = useRef<HTMLFieldSetElement>(null);
  // HTML can't require at least one of several checkboxes.
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
          <Checkbox
            key={option}
            label={option}
            hint={hints?.[option]}
            name={name}
            value={option}
            defaultChecked={initial.includes(option)}
          />
        ))}
      </Checkboxes>
    </FieldGroup>
  );
}
