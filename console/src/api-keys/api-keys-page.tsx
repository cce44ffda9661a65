import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.js';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { ApiKey } from '../api/types.js';
import { ConfirmationButton } from '../shared/confirmation.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { Empty } from '../shared/empty.js';
import { Loaded } from '../shared/loaded.js';
import { notify } from '../shared/notices.js';
import { Page } from '../shared/page.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { membersQuery } from '../team/team-queries.js';
import { apiKeysQuery } from './api-key-queries.js';
import { apiKeys as names } from './api-key-texts.js';
import { NewApiKey } from './new-api-key.js';

const COLUMNS: readonly Column<ApiKey>[] = [
  { name: names.name, cell: ({ name }) => name, card: 'head' },
  {
    name: names.key,
    cell: ({ keyHint }) => <code>{names.hint(keyHint)}</code>,
    isShort: true,
    card: 'plain',
  },
  { name: names.scopes, cell: ({ scopes }) => scopes.join(', ') },
  {
    name: names.created,
    cell: (apiKey) => <Creation apiKey={apiKey} />,
    visibility: 'wide',
  },
  {
    name: names.lastUsed,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? names.never : <Day at={lastUsedAt} />),
    isShort: true,
  },
  {
    name: names.expires,
    cell: ({ expiresAt }) => (expiresAt === null ? names.never : <Day at={expiresAt} />),
    isShort: true,
  },
  {
    name: texts.overview.action,
    cell: (apiKey) => <DeleteApiKey apiKey={apiKey} />,
    operation: 'deleteApiKey',
    isShort: true,
  },
];

const Day = ({ at }: { readonly at: string }) => <Time at={at} withTime={false} />;

/** The API keys of the account. */
export function ApiKeysPage() {
  const apiKeys = useQuery(apiKeysQuery);
  return (
    <Page title={names.title} actions={<NewApiKey />}>
      <p>{names.details}</p>
      <Loaded query={apiKeys}>
        {(rows) =>
          rows.length > 0 ? (
            <DataTable caption={names.title} columns={COLUMNS} rows={rows} />
          ) : (
            <Empty title={names.none} details={names.noneDetails} />
          )
        }
      </Loaded>
    </Page>
  );
}

interface Props {
  readonly apiKey: ApiKey;
}

function Creation({ apiKey: { createdAt, createdBy } }: Props) {
  const members = useQuery(membersQuery);
  const creator = members.data?.find(({ _id }) => _id === createdBy);
  return (
    <span>
      <Day at={createdAt} /> {members.data && names.by(creator?.name ?? names.formerMember)}
    </span>
  );
}

function DeleteApiKey({ apiKey: { _id, name } }: Props) {
  return (
    <ConfirmationButton
      operation="deleteApiKey"
      label={names.delete}
      name={`${names.delete} ${name}`}
      title={names.deleteTitle(name)}
      details={names.deleteDetails}
      isDangerous
      run={() => deleteApiKey(_id)}
      done={(deleted) => {
        const { webhooks } = deleted as Awaited<ReturnType<typeof deleteApiKey>>;
        const left = webhooks.map(({ url }) => url).join(', ');
        const notice = texts.deleted(name);
        notify(left ? `${notice}. ${names.webhooksLeft} ${left}` : notice);
      }}
    />
  );
}

/** If the API key no longer exists, an earlier attempt deleted it and its response was lost. */
async function deleteApiKey(id: string) {
  try {
    return await bodyOf(api.DELETE('/api-keys/{id}', { params: { path: { id } } }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    return { webhooks: [] };
  }
}
