import { useEffect, useRef, useState } from 'react';
import type { EventKind } from '../api/types.js';
import * as inputs from '../api/inputs.js';
import { kinds } from '../events/event-texts.js';
import { Checkbox, FieldGroup } from '../shared/fields.js';
import { Checkboxes } from '../shared/ui/checkboxes.js';
import { Muted } from '../shared/ui/muted.js';
import { nameOfType } from './type-name.js';
import { webhooks as names } from './webhook-texts.js';
import styles from './types-field.module.css';

const { name, options } = inputs.createWebhook.types;
const ALL = '*';
const KINDS = Object.entries(kinds) as [EventKind, string][];

interface Choice {
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (type: string, isChosen: boolean) => void;
}

/**
 * The events that a webhook receives: all events, whole kinds, or single types. Choosing a whole kind or
 * all events hides the narrower options.
 */
export function TypesField({ initial }: { readonly initial: readonly string[] }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(initial));
  const group = useRef<HTMLFieldSetElement>(null);
  // HTML can't require at least one of several checkboxes.
  useEffect(() => {
    const box = group.current?.querySelector('input');
    box?.setCustomValidity(chosen.size > 0 ? '' : names.typeRequired);
  }, [chosen]);
  const onChoose = (type: string, isChosen: boolean) => {
    const others = [...chosen].filter((other) => other !== type);
    setChosen(new Set(isChosen ? [...others, type] : others));
  };
  return (
    <FieldGroup ref={group} label={names.types} name={name}>
      <TypeBox type={ALL} chosen={chosen} onChoose={onChoose} />
      {!chosen.has(ALL) && (
        <div>
          {KINDS.map(([kind, label]) => (
            <Kind key={kind} kind={kind} label={label} chosen={chosen} onChoose={onChoose} />
          ))}
        </div>
      )}
    </FieldGroup>
  );
}

interface KindProps extends Choice {
  readonly kind: EventKind;
  readonly label: string;
}

/** The types of a kind, collapsed unless one is selected initially. */
function Kind({ kind, label, chosen, onChoose }: KindProps) {
  const all = `${kind}.*`;
  const types = options.filter((type) => type.startsWith(`${kind}.`) && type !== all);
  const count = types.filter((type) => chosen.has(type)).length;
  const [isOpen] = useState(count > 0 || chosen.has(all));
  return (
    <details open={isOpen} className={styles.kind}>
      <summary>
        {label} <Muted isInline>{chosen.has(all) ? names.all : count > 0 && count}</Muted>
      </summary>
      <div className={styles.types}>
        <Checkboxes>
          {[all, ...(chosen.has(all) ? [] : types)].map((type) => (
            <TypeBox key={type} type={type} chosen={chosen} onChoose={onChoose} />
          ))}
        </Checkboxes>
      </div>
    </details>
  );
}

const TypeBox = ({ type, chosen, onChoose }: Choice & { readonly type: string }) => (
  <Checkbox
    label={nameOfType(type)}
    name={name}
    value={type}
    checked={chosen.has(type)}
    onChange={({ target }) => onChoose(type, target.checked)}
  />
);
