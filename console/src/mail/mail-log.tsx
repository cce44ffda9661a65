import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Mail } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { Badge } from '../shared/badge.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { ErrorNote } from '../shared/error-note.js';
import { notify } from '../shared/notices.js';
import { Ago } from '../shared/time.js';
import { Waiting } from '../shared/waiting.js';
import { texts } from '../texts.js';
import { log as names, mail, mailKinds, mailStatus, problems } from './mail-texts.js';

/** The license status whose look each mail status borrows. */
const LOOKS = { pending: 'pending', sent: 'active', failed: 'revoked' } as const;

/** Mail that can be sent again. Mail to members can't, because its link works only once. */
const REPEATABLE: readonly Mail['kind'][] = [
  ...(['license_issued', 'license_key', 'license_expiring', 'client_email_changed'] as const),
];

const COLUMNS: readonly Column<Mail>[] = [
  { name: mail.to, cell: ({ to }) => to, card: 'head' },
  { name: names.kind, cell: ({ kind }) => mailKinds[kind], card: 'plain' },
  {
    name: names.status,
    isShort: true,
    card: 'head',
    cell: ({ status, attempts }) =>
      status === 'pending' && attempts > 0 ? (
        <Badge look="expired">{names.retrying}</Badge>
      ) : (
        <Badge look={LOOKS[status]}>{mailStatus[status]}</Badge>
      ),
  },
  {
    name: names.error,
    cell: ({ error }) => (error === null ? texts.none : (problems[error] ?? error)),
    card: 'plain',
  },
  {
    name: names.created,
    cell: ({ createdAt, sentAt }) => <Ago at={sentAt ?? createdAt} />,
    isShort: true,
  },
];

/** The mail of the account. Failed mail to customers can be sent again. */
export function MailLog({ rows }: { readonly rows: readonly Mail[] }) {
  const { submit, isPending, wait, cancel, error } = useWrite(
    (id: string, key) => {
      const params = { path: { id }, header: { 'Idempotency-Key': key } };
      return bodyOf(api.POST('/mails/{id}/retry', { params }));
    },
    () => notify(names.againDone),
  );
  const again: Column<Mail> = {
    name: texts.overview.action,
    isShort: true,
    operation: 'retryMail',
    cell: ({ _id, to, kind, status }) =>
      status === 'failed' &&
      REPEATABLE.includes(kind) && (
        <button
          type="button"
          aria-label={names.againTo(to)}
          aria-disabled={isPending}
          onClick={() => {
            if (!isPending) submit(_id);
          }}
        >
          {names.again}
        </button>
      ),
  };
  return (
    <>
      <Waiting wait={wait} onStop={cancel} />
      {error && <ErrorNote error={error} />}
      <DataTable caption={names.title} columns={[...COLUMNS, again]} rows={rows} />
    </>
  );
}
