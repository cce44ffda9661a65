import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { rowsOf } from '../api/pages.js';
import type { Client } from '../api/types.js';
import { finding } from '../licenses/license-texts.js';
import { TextField } from '../shared/fields.js';
import { texts } from '../texts.js';
import styles from './client-choice.module.css';
import { clientQuery, clientsQuery } from './client-queries.js';

interface Props {
  readonly clientId: string | undefined;
  /** Shown until a client is chosen. */
  readonly placeholder: string;
  readonly onChange: (client: Client | undefined) => void;
  /** Called with true if the typed text matches no client. */
  readonly onUnknown?: (isUnknown: boolean) => void;
  /** The field name in a form, if the typed text may name a new client. */
  readonly name?: string;
}

/**
 * Chooses a client, possibly from thousands. The browser suggests clients that match part of a name or an
 * email address. React Aria's combo box would hide the page from assistive technology while its list is
 * open, but leave it in the focus order.
 */
export function ClientChoice(props: Props) {
  const { clientId, placeholder, onChange, onUnknown, name = 'client' } = props;
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  /** Whether the user pressed Enter to choose from the results. */
  const [isAsked, setAsked] = useState(false);
  const { data, isPlaceholderData } = useInfiniteQuery(clientsQuery(searchOf(typed)));
  const found = data ? rowsOf(data) : [];
  const chosen = useQuery({ ...clientQuery(clientId ?? ''), enabled: clientId !== undefined });
  const shown = clientId === undefined ? '' : chosen.data && labelOf(chosen.data);
  const isNew = name !== 'client';
  useEffect(() => {
    const isTyping = clientId === undefined && isNew;
    if (input.current && shown !== undefined && !isTyping) input.current.value = shown;
  }, [clientId, shown, isNew]);
  const isFound = isAsked && !isPlaceholderData && found.length > 0;
  const named =
    found.find((one) => labelOf(one) === typed) ??
    onlyNamesake(found, typed) ??
    (isFound && found.length === 1 ? found[0] : undefined);
  useEffect(() => {
    if (!named) return;
    setTyped('');
    setAsked(false);
    onChange(named);
  }, [named, onChange]);
  const isUnknown = typed !== '' && data !== undefined && !isPlaceholderData && found.length === 0;
  useEffect(() => onUnknown?.(isUnknown), [isUnknown, onUnknown]);
  return (
    <>
      <TextField
        ref={input}
        label={texts.clients.client}
        name={name}
        placeholder={placeholder}
        list={list}
        required={isNew}
        autoComplete="off"
        onChange={({ target: { value } }) => {
          setTyped(value);
          setAsked(false);
          if (clientId !== undefined && (isNew || value === '')) onChange(undefined);
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && !isNew && typed.trim() !== '') setAsked(true);
        }}
      />
      {isFound && found.length > 1 && (
        <div role="group" aria-label={finding.matches(typed)} className={styles.matches}>
          {found.slice(0, MAX_MATCHES).map((client) => (
            <button
              key={client._id}
              type="button"
              onClick={() => {
                setTyped('');
                setAsked(false);
                onChange(client);
              }}
            >
              {labelOf(client)}
            </button>
          ))}
        </div>
      )}
      <datalist id={list}>
        {found.map((client) => (
          <option key={client._id} value={labelOf(client)} />
        ))}
      </datalist>
    </>
  );
}

/** The maximum number of matches to offer. */
const MAX_MATCHES = 6;

const SEPARATOR = ' · ';

/** Distinguishes clients with the same name. */
const labelOf = ({ name, email }: Client) => name + SEPARATOR + email;

/** The client with exactly this name, if any, so the user need not choose it from the list. */
function onlyNamesake(found: readonly Client[], typed: string): Client | undefined {
  const [first, ...others] = found.filter(({ name }) => name === typed.trim());
  return others.length === 0 ? first : undefined;
}

/** The search text for a label: its email address. */
function searchOf(typed: string): string | undefined {
  const text = typed.split(SEPARATOR).at(-1)?.trim();
  return text === '' ? undefined : text;
}
