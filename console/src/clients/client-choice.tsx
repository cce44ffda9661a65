import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  Button,
  ComboBox,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
} from 'react-aria-components';
import { rowsOf } from '../api/pages.js';
import type { Client } from '../api/types.js';
import { texts } from '../texts.js';
import styles from './client-choice.module.css';
import { clientQuery, clientsQuery } from './client-queries.js';

interface Props {
  readonly clientId: string | undefined;
  /** What is shown while nobody is chosen. */
  readonly placeholder: string;
  readonly onChange: (client: Client | undefined) => void;
  /** The name of the field in a form, where what is typed may be the name of somebody new. */
  readonly name?: string;
  readonly isRequired?: boolean;
}

/** Chooses one of perhaps thousands of clients by a part of a name or an e-mail address. */
export function ClientChoice({ clientId, placeholder, onChange, name: field, isRequired }: Props) {
  const chosen = useQuery({ ...clientQuery(clientId ?? ''), enabled: clientId !== undefined });
  const name = clientId === undefined ? '' : (chosen.data?.name ?? '');
  const [text, setText] = useState(name);
  const [isTyped, setTyped] = useState(false);
  useEffect(() => {
    if (clientId !== undefined || field === undefined) setText(name);
    setTyped(false);
  }, [clientId, name, field]);
  const { data } = useInfiniteQuery(clientsQuery((isTyped && text.trim()) || undefined));
  const found = data ? rowsOf(data) : [];
  return (
    <ComboBox
      className="field"
      {...(field !== undefined && { name: field, formValue: 'text' as const })}
      isRequired={isRequired === true}
      items={found}
      inputValue={text}
      selectedKey={clientId ?? null}
      menuTrigger="focus"
      allowsEmptyCollection={field === undefined}
      allowsCustomValue
      onInputChange={(typed) => {
        setText(typed);
        setTyped(true);
        const isOther = field === undefined ? typed === '' : typed !== name;
        if (isOther && clientId !== undefined) onChange(undefined);
      }}
      onSelectionChange={(key) => {
        const client = found.find(({ _id }) => _id === key);
        if (client && client._id !== clientId) onChange(client);
      }}
    >
      <Label>{texts.clients.client}</Label>
      <div className={styles.input}>
        <Input placeholder={placeholder} autoComplete="off" />
        <Button className={styles.open}>
          <span aria-hidden>▾</span>
        </Button>
      </div>
      <Popover className={styles.popover}>
        <ListBox
          className={styles.list}
          renderEmptyState={() => <p className="hint">{texts.clients.notFound}</p>}
        >
          {({ _id, name: client, email }: Client) => (
            <ListBoxItem id={_id} textValue={client} className={styles.item}>
              <span>{client}</span>
              <span className="muted">{email}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
