import { useQuery } from '@tanstack/react-query';
import { unlessGone } from '../api/api-error.js';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Session } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { DialogButton } from '../shared/dialog-button.js';
import { Form } from '../shared/form.js';
import { Loaded } from '../shared/loaded.js';
import { notify } from '../shared/notices.js';
import { Page } from '../shared/page.js';
import { Time } from '../shared/time.js';
import { texts } from '../texts.js';
import { sessions as names } from './account-texts.js';
import { sessionsQuery } from './account-queries.js';
import { SettingsNav } from './settings-nav.js';

const COLUMNS: readonly Column<Session>[] = [
  { name: names.program, cell: ({ userAgent }) => userAgent ?? names.unknown },
  {
    name: names.address,
    cell: ({ address }) => <span className="nowrap">{address ?? names.unknown}</span>,
  },
  { name: names.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { name: names.lastUsed, cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
  {
    name: texts.overview.action,
    cell: (session) =>
      session.current ? (
        <span className="status status-active">{names.current}</span>
      ) : (
        <EndSession id={session._id} />
      ),
  },
];

/** Where the member is logged in. */
export function SessionsPage() {
  const sessions = useQuery(sessionsQuery);
  const hasOthers = sessions.data?.some(({ current }) => !current);
  return (
    <Page
      title={names.title}
      trail={<SettingsNav />}
      aside={<div className="actions">{hasOthers && <EndOthers />}</div>}
    >
      <p>{names.details}</p>
      <Loaded query={sessions}>
        {(rows) => <DataTable caption={names.title} columns={COLUMNS} rows={rows} />}
      </Loaded>
    </Page>
  );
}

function EndSession({ id }: { readonly id: string }) {
  return (
    <DialogButton
      operation="endSession"
      label={names.end}
      title={names.endTitle}
      className="danger-quiet"
    >
      {(close) => <EndForm id={id} onClose={close} />}
    </DialogButton>
  );
}

function EndOthers() {
  return (
    <DialogButton
      operation="endOtherSessions"
      label={names.endOthers}
      title={names.endOthersTitle}
      className="danger-quiet"
    >
      {(close) => <EndForm id={null} onClose={close} />}
    </DialogButton>
  );
}

interface EndProps {
  /** Null for all other sessions. */
  readonly id: string | null;
  readonly onClose: () => void;
}

function EndForm({ id, onClose }: EndProps) {
  const write = useWrite(
    () => (id === null ? endOthers() : end(id)),
    () => {
      onClose();
      notify(id === null ? names.othersEnded : names.ended);
    },
  );
  return (
    <Form
      write={write}
      submit={id === null ? names.endOthers : names.end}
      onCancel={onClose}
      isDangerous
      onSubmit={() => write.submit(undefined)}
    >
      <p>{id === null ? names.endOthersDetails : names.endDetails}</p>
    </Form>
  );
}

const end = (id: string) =>
  unlessGone(bodyOf(api.DELETE('/auth/sessions/{id}', { params: { path: { id } } })));

const endOthers = async () => {
  await bodyOf(api.DELETE('/auth/sessions'));
};
