import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Box, Layers, type LucideIcon, Monitor, Plus, Ticket, Users } from 'lucide-react';
import { useDeferredValue, useEffect, useState } from 'react';
import {
  Autocomplete,
  Input,
  ListBox,
  ListBoxItem,
  SearchField,
  type Key,
} from 'react-aria-components';
import * as inputs from '../api/inputs.js';
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
import { linkTo } from './record-link.js';
import { searchOf, searchQuery } from './search-query.js';
import { search as names } from './search-texts.js';
import styles from './search.module.css';

const ICONS: Record<Found['kind'], LucideIcon> = {
  license: Ticket,
  machine: Monitor,
  client: Users,
  project: Box,
  plan: Layers,
};

const KINDS = Object.keys(ICONS) as Found['kind'][];

/** A machine result has the id of its license. */
const keyOf = ({ kind, _id }: Found): string => `${kind} ${_id}`;

interface Props {
  readonly initial: string;
  readonly onClose: () => void;
  readonly onChoose: (action: Action) => void;
}

/** Finds records by anything a customer mentions, and actions and pages by name. Enter opens the first result. */
export function SearchPalette({ initial, onClose, onChoose }: Props) {
  const may = useMay();
  const navigate = useNavigate();
  const [text, setText] = useState(initial);
  /** Whether to open the first result once it arrives. */
  const [isEntered, setEntered] = useState(false);
  const wanted = searchOf(text);
  const q = useDeferredValue(wanted);
  const found = useQuery(searchQuery(q));
  const isNamed = (name: string) => name.toLowerCase().includes(q.toLowerCase());
  /** Of each kind, names that contain the text come before other matches, such as an email address. */
  const rankOf = ({ kind, title }: Found) => 2 * KINDS.indexOf(kind) + (isNamed(title) ? 0 : 1);
  const sorted = [...(found.data ?? [])].sort((one, other) => rankOf(one) - rankOf(other));
  const records = q === '' ? recentRecords() : sorted;
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
    if (record) void navigate(linkTo(record, q));
  };
  const options = [
    ...records.map((record) => ({
      id: keyOf(record),
      icon: ICONS[record.kind],
      isLine: false,
      title: record.title,
      subtitle: [q === '' && names.recent, names.kinds[record.kind], record.subtitle]
        .filter(Boolean)
        .join(' · '),
    })),
    ...actions.map(({ label }) => ({
      ...{ id: label, icon: Plus, title: label, subtitle: names.action, isLine: true },
    })),
    ...pages.map(({ to, icon, name }) => ({
      ...{ id: to, icon, title: name, subtitle: names.page, isLine: true },
    })),
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
          {({ id, icon: Icon, title, subtitle, isLine }) => (
            <ListBoxItem id={id} textValue={title} className={styles.result} data-line={isLine}>
              <Icon size={18} aria-hidden />
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
