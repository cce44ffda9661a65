import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useState } from 'react';
import {
  Autocomplete,
  Input,
  ListBox,
  ListBoxItem,
  SearchField,
  type Key,
} from 'react-aria-components';
import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { bodyOf } from '../api/public-client.js';
import type { Found } from '../api/types.js';
import { useMay } from '../api/use-may.js';
import { PAGES, SETTINGS } from '../app/navigation.js';
import { ErrorNote } from '../shared/error-note.js';
import { Muted } from '../shared/ui/muted.js';
import type { Action } from '../shared/ui/action-menu.js';
import { texts } from '../texts.js';
import { isShortened } from '../../../src/licenses/license-key-form.js';
import { ACTIONS } from './palette-actions.js';
import { recentRecords } from './recent.js';
import { search as names } from './search-texts.js';
import styles from './search.module.css';

const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', q],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.POST('/search', { body: { q }, signal }))).data,
    placeholderData: keepPreviousData,
    enabled: q !== '',
    // The search text may be a license key, so it is not cached.
    gcTime: 0,
  });

const LICENSE_KEY = /\b[A-Z0-9]{1,16}-[0-9A-F]{24}(-[A-Z0-9]{4}){3}\b/i;

/** The license key if the pasted text contains one, otherwise the text, up to its maximum length. */
const searchOf = (text: string): string =>
  LICENSE_KEY.exec(text)?.[0] ?? text.trim().slice(0, inputs.search.q.maxLength);

/** A machine has the id of its license. */
const keyOf = ({ kind, _id }: Found): string => `${kind} ${_id}`;

interface Props {
  readonly initial: string;
  readonly onClose: () => void;
  readonly onChoose: (action: Action) => void;
}

/** Finds a record by anything a customer mentions, an action or a page by name. Enter opens the first result. */
export function SearchPalette({ initial, onClose, onChoose }: Props) {
  const may = useMay();
  const navigate = useNavigate();
  const [text, setText] = useState(initial);
  /** Whether to open the first result once it arrives. */
  const [isEntered, setEntered] = useState(false);
  const wanted = searchOf(text);
  const q = useDeferredValue(wanted);
  const found = useQuery(searchQuery(q));
  const records = q === '' ? recentRecords() : (found.data ?? []);
  const isNamed = (name: string) => name.toLowerCase().includes(q.toLowerCase());
  const actions = ACTIONS.filter(({ label, operation }) => may(operation) && isNamed(label));
  const pages = [...PAGES, ...SETTINGS].filter(
    ({ name, operation }) => may(operation) && isNamed(name),
  );
  const open = (key: Key) => {
    const action = actions.find(({ label }) => label === key);
    if (action) return onChoose(action);
    onClose();
    const page = pages.find(({ to }) => to === key);
    if (page) return void navigate({ to: page.to });
    const record = records.find((one) => keyOf(one) === key);
    if (record) void openRecord(record);
  };
  const openRecord = ({ kind, _id: id, title }: Found) => {
    switch (kind) {
      case 'license':
        return navigate({ to: '/licenses/$id', params: { id } });
      case 'machine': {
        // A machine without a name is shown by the start of its id, which the license page can't search for.
        const search = q.toLowerCase().startsWith(title) ? {} : { search: title };
        return navigate({ to: '/licenses/$id', params: { id }, search });
      }
      case 'client':
        return navigate({ to: '/clients/$id', params: { id } });
      case 'project':
        return navigate({ to: '/licenses', search: { projectId: id } });
      case 'plan':
        return navigate({ to: '/plans' });
    }
  };
  const options = [
    ...records.map((record) => ({
      id: keyOf(record),
      title: record.title,
      subtitle: [q === '' && names.recent, names.kinds[record.kind], record.subtitle]
        .filter(Boolean)
        .join(' · '),
    })),
    ...actions.map(({ label }) => ({ id: label, title: label, subtitle: names.action })),
    ...pages.map(({ to, name }) => ({ id: to, title: name, subtitle: names.page })),
  ];
  const nothing = isShortened(q) ? names.incompleteKey : names.none;
  const isSettled = !found.isFetching && q === wanted;
  useEffect(() => {
    if (!isEntered || !isSettled) return;
    setEntered(false);
    if (options[0]) open(options[0].id);
  });
  return (
    <>
      <Autocomplete
        inputValue={text}
        onInputChange={(typed) => {
          setText(typed);
          setEntered(false);
        }}
      >
        <SearchField
          aria-label={names.title}
          autoFocus
          onKeyDown={({ key, target }) => {
            const isChosen =
              target instanceof Element && target.hasAttribute('aria-activedescendant');
            if (key === 'Escape') onClose();
            if (key === 'Enter' && !isChosen) setEntered(true);
          }}
        >
          <Input placeholder={names.hint} maxLength={inputs.search.q.maxLength} />
        </SearchField>
        <ListBox
          aria-label={names.title}
          items={options}
          className={styles.results}
          onAction={open}
          renderEmptyState={() => (isSettled ? nothing : texts.loading)}
        >
          {({ id, title, subtitle }) => (
            <ListBoxItem id={id} textValue={title} className={styles.result}>
              <span dir="auto">{title}</span>
              <Muted isInline>{subtitle}</Muted>
            </ListBoxItem>
          )}
        </ListBox>
      </Autocomplete>
      <Muted>{names.tip}</Muted>
      {found.error && <ErrorNote error={found.error} onRetry={() => found.refetch()} />}
    </>
  );
}
