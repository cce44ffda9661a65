import { useQuery } from '@tanstack/react-query';
import { unlessGone } from '../api/api-error.js';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Session } from '../api/types.js';
import { useMay } from '../api/use-may.js';
import { useWrite } from '../api/use-write.js';
import { ConfirmationButton } from '../shared/confirmation.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { ErrorNote } from '../shared/error-note.js';
import { Loaded } from '../shared/loaded.js';
import { notify } from '../shared/notices.js';
import { Ago } from '../shared/time.js';
import { formatTime } from '../shared/time-format.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel, PanelHead } from '../shared/ui/panel.js';
import { Waiting } from '../shared/waiting.js';
import { texts } from '../texts.js';
import { programName } from '../account/program-name.js';
import { sessionsQuery } from './security-queries.js';
import { sessions as names } from './security-texts.js';
import { Badge } from '../shared/badge.js';

const COLUMNS: readonly Column<Session>[] = [
  { name: names.program, cell: (session) => programOf(session), card: 'head' },
  { name: names.address, cell: ({ address }) => address, card: 'plain' },
  { name: names.created, cell: ({ createdAt }) => <Ago at={createdAt} />, isShort: true },
  { name: names.lastUsed, cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} />, isShort: true },
  {
    name: texts.overview.action,
    cell: (session) =>
      session.current ? (
        <Badge look="active">{names.current}</Badge>
      ) : (
        <EndSession session={session} />
      ),
    isShort: true,
    card: 'plain',
  },
];

/** Where the user is signed in. */
export function Sessions() {
  const sessions = useQuery(sessionsQuery);
  const hasOthers = sessions.data?.some(({ current }) => !current);
  return (
    <Panel label={names.title}>
      <PanelHead title={names.title}>{hasOthers && <EndOthers />}</PanelHead>
      <Muted>{names.details}</Muted>
      <Loaded query={sessions}>
        {(rows) => <DataTable caption={names.title} columns={COLUMNS} rows={rows} />}
      </Loaded>
    </Panel>
  );
}

function EndSession({ session }: { readonly session: Session }) {
  // Two sessions may use the same browser.
  const program = names.since(programOf(session), formatTime(session.createdAt));
  return (
    <ConfirmationButton
      operation="endSession"
      label={names.end}
      name={`${names.end} ${program}`}
      title={names.endTitle(program)}
      details={names.endDetails}
      isDangerous
      run={() => end(session._id)}
      done={names.ended}
    />
  );
}

/** Ending a session loses nothing, so there is no confirmation. */
function EndOthers() {
  const may = useMay();
  const write = useWrite(endOthers, () => notify(names.othersEnded));
  if (!may('endOtherSessions')) return null;
  return (
    <>
      <Waiting wait={write.wait} onStop={write.cancel} />
      {write.error && <ErrorNote error={write.error} />}
      <button
        type="button"
        aria-disabled={write.isPending}
        onClick={() => write.isPending || write.submit(undefined)}
      >
        {names.endOthers}
      </button>
    </>
  );
}

const programOf = ({ userAgent }: Session): string =>
  userAgent ? programName(userAgent) : names.unknown;

const end = (id: string) =>
  unlessGone(bodyOf(api.DELETE('/auth/sessions/{id}', { params: { path: { id } } })));

const endOthers = async () => {
  await bodyOf(api.DELETE('/auth/sessions'));
};
