import { ApiError, NoResponse } from '../src/api/api-error.js';
import * as inputs from '../src/api/inputs.js';
import { Breadcrumbs } from '../src/shared/breadcrumbs.js';
import { Empty } from '../src/shared/empty.js';
import { ErrorNote } from '../src/shared/error-note.js';
import { SearchField } from '../src/shared/search-field.js';
import { ShowMore } from '../src/shared/show-more.js';
import { Snippet } from '../src/shared/snippet.js';
import { StatusBadge } from '../src/shared/status-badge.js';
import { Time } from '../src/shared/time.js';
import buttons from '../src/shared/ui/button.module.css';
import { Waiting } from '../src/shared/waiting.js';
import { Part } from './part.js';
import { Actions } from '../src/shared/ui/actions.js';

const STATUSES = ['PENDING', 'ACTIVE', 'EXPIRED', 'SUSPENDED', 'REVOKED'] as const;

const FAULT = new ApiError(
  500,
  {
    message: 'Internal server error',
    details: 'Something unexpected happened.',
    requestId: '9d311a54-cf6b-4597-a7d8-1974af2889e5',
  },
  null,
);

const ignore = () => undefined;

/** Statuses, errors, waits and empty lists. */
export const States = () => (
  <>
    <Part name="Statuses">
      <Actions>
        {STATUSES.map((status) => (
          <StatusBadge key={status} status={status} />
        ))}
      </Actions>
    </Part>
    <Part name="Errors">
      <ErrorNote error={FAULT} onRetry={ignore} />
      <ErrorNote error={new NoResponse()} />
    </Part>
    <Part name="A waiting form">
      <form aria-label="waits">
        <Waiting wait={{ error: FAULT, until: Date.now() + 900_000 }} onStop={ignore} />
      </form>
    </Part>
    <Part name="Empty">
      <Empty title="No plans yet" details='Save terms you sell often, such as "Team, 1 year".'>
        <button type="button" className={buttons.primary}>
          New plan
        </button>
      </Empty>
    </Part>
    <Part name="Around a list">
      <Breadcrumbs
        links={[
          <a href="#list">Customers</a>,
          <a href="#list" aria-current="page">
            Acme Ltd
          </a>,
        ]}
      />
      <SearchField
        limits={inputs.listClients.search}
        hint="Part of a name or email"
        initial=""
        onSearch={ignore}
      />
      <p>
        <Time at="2026-01-31T10:15:00.000Z" />
      </p>
      {[false, true].map((isFetchingNextPage) => (
        <ShowMore
          key={String(isFetchingNextPage)}
          query={{ hasNextPage: true, isFetchingNextPage, fetchNextPage: ignore }}
        />
      ))}
    </Part>
    <Part name="Snippet">
      <Snippet
        title="Install the SDK"
        details="Lines for a terminal"
        copy="Copy setup"
        text="npm install license-management-client"
      />
    </Part>
  </>
);
