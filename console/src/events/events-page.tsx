import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { exportApi } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import { rowsOf } from '../api/pages.js';
import type { Event, EventKind, EventType } from '../api/types.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { ExportButton } from '../shared/export-button.js';
import { Empty } from '../shared/empty.js';
import { SelectField } from '../shared/fields.js';
import { ListStatus } from '../shared/list-status.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { ShowMore } from '../shared/show-more.js';
import { Ago } from '../shared/time.js';
import { FieldRow } from '../shared/ui/field-row.js';
import { Panel } from '../shared/ui/panel.js';
import { FilterField } from '../licenses/filter-field.js';
import { texts } from '../texts.js';
import { ClientChoice } from '../clients/client-choice.js';
import { ActorField } from './actor-field.js';
import { EventActor } from './event-actor.js';
import { EventDetails } from './event-details.js';
import { type EventFilter, toEventFilter } from './event-filter.js';
import { eventList as names } from './event-list-texts.js';
import { allOf, fullNameOf } from './event-texts.js';
import { accountEventsQuery, queryOf } from './event-queries.js';
import { EventSubject, isAboutActor } from './event-subject.js';
import styles from './event-filters.module.css';

const { title, noun, kinds, names: types, times } = texts.events;

const COLUMNS: readonly Column<Event>[] = [
  {
    name: names.at,
    cell: ({ at, lastAt }) => <Ago at={lastAt ?? at} />,
    isShort: true,
    card: 'plain',
  },
  {
    name: names.event,
    cell: ({ type, count }) =>
      count > 1 ? `${fullNameOf(type)}, ${times(count)}` : fullNameOf(type),
    isShort: true,
    card: 'head',
  },
  {
    name: names.subject,
    cell: (event) => !isAboutActor(event) && <EventSubject event={event} />,
    card: 'plain',
  },
  { name: names.actor, cell: (event) => <EventActor event={event} /> },
  { name: names.data, cell: (event) => <EventDetails event={event} />, card: 'plain' },
];

/** The event log of the account. */
export function EventsPage() {
  const filter = useSearch({ from: '/member/events' });
  const events = useInfiniteQuery(accountEventsQuery(filter));
  return (
    <Page title={title} actions={<ExportEvents filter={filter} />}>
      <p>{names.details}</p>
      <EventFilters filter={filter} />
      <ListStatus noun={noun} query={events} />
      <Loaded query={events}>
        {(pages) => {
          const rows = rowsOf(pages);
          if (rows.length > 0) {
            return <DataTable caption={title} columns={COLUMNS} rows={rows} />;
          }
          return <Empty title={events.hasNextPage ? names.noneSoFar : names.none} />;
        }}
      </Loaded>
      <ShowMore query={events} />
    </Page>
  );
}

/** Saves the filtered events, one JSON object per line. */
const ExportEvents = ({ filter }: { readonly filter: EventFilter }) => (
  <ExportButton
    label={names.export}
    operation="exportEvents"
    read={() =>
      bodyOf(
        exportApi.GET('/events.ndjson', { params: { query: queryOf(filter) }, parseAs: 'text' }),
      )
    }
    file={names.exportFile}
    type="application/x-ndjson"
  />
);

const KINDS = Object.entries(kinds) as [EventKind, string][];
const TYPES = Object.keys(types) as EventType[];

/**
 * The filters; on phones, all except the type start collapsed. Each change gets its own URL, so views can
 * be shared and Back works.
 */
function EventFilters({ filter }: { readonly filter: EventFilter }) {
  const navigate = useNavigate({ from: '/events' });
  const { type = '', client, subject, actor, from = '', to = '' } = filter;
  const [isOpen, setOpen] = useState(client !== undefined || from !== '' || to !== '');
  const change = (changes: Readonly<Record<string, string>>) =>
    void navigate({ search: toEventFilter({ ...filter, ...changes }) });
  return (
    <Panel label={texts.licenses.filters}>
      <div className={styles.filters} data-open={isOpen || undefined}>
        <FieldRow>
          <SelectField
            label={names.type}
            name="type"
            value={type}
            onChange={({ target }) => change({ type: target.value })}
          >
            <option value="">{names.any}</option>
            {KINDS.map(([kind, label]) => (
              <optgroup key={kind} label={label}>
                <option value={`${kind}.*`}>{allOf[kind]}</option>
                {TYPES.filter((one) => one.startsWith(`${kind}.`)).map((one) => (
                  <option key={one} value={one}>
                    {fullNameOf(one)}
                  </option>
                ))}
              </optgroup>
            ))}
          </SelectField>
          <button
            type="button"
            className={styles.fold}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {names.moreFilters}
          </button>
          <FilterField
            label={names.from}
            name="from"
            type="date"
            value={from}
            max="9999-12-31"
            onCommit={(day) => change({ from: day })}
          />
          <FilterField
            label={names.to}
            name="to"
            type="date"
            value={to}
            max="9999-12-31"
            onCommit={(day) => change({ to: day })}
          />
          <ClientChoice
            clientId={client}
            placeholder={names.any}
            onChange={(one) => change({ client: one?._id ?? '', subject: '', actor: '' })}
          />
          <ActorField
            actor={actor}
            onChange={(id) => change({ actor: id, client: '', subject: '' })}
          />
        </FieldRow>
      </div>
      {Object.keys(filter).length > 0 && (
        <p>
          {subject !== undefined && names.filtered.subject}
          {actor !== undefined && names.filtered.actor}{' '}
          <Link to="/events">{texts.licenses.clear}</Link>
        </p>
      )}
    </Panel>
  );
}
