import { useQuery } from '@tanstack/react-query';
import type { Passkey } from '../api/types.js';
import { registrationQuery } from '../session/registration.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { Ago, Time } from '../shared/time.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel, PanelHead } from '../shared/ui/panel.js';
import { texts } from '../texts.js';
import { AddPasskey } from './add-passkey.js';
import { RemoveFactor } from './remove-factor.js';
import { passkeys as names, security } from './security-texts.js';

const COLUMNS: readonly Column<Passkey>[] = [
  { name: names.name, cell: ({ name }) => name, card: 'head' },
  {
    name: names.created,
    cell: ({ createdAt }) => <Time at={createdAt} withTime={false} />,
    isShort: true,
  },
  {
    name: names.lastUsed,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? security.never : <Ago at={lastUsedAt} />),
    isShort: true,
  },
  {
    name: texts.overview.action,
    cell: ({ _id, name }) => <RemoveFactor id={_id} name={name} />,
    isShort: true,
    card: 'plain',
  },
];

/** The passkeys of the user. */
export function PasskeyPanel({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const { data } = useQuery({ ...registrationQuery, staleTime: Infinity });
  return (
    <Panel label={names.title}>
      <PanelHead title={names.title}>{data?.passkeys && <AddPasskey />}</PanelHead>
      <Muted>{names.details}</Muted>
      {passkeys.length > 0 && <DataTable caption={names.title} columns={COLUMNS} rows={passkeys} />}
      {passkeys.length === 0 && data && <p>{data.passkeys ? names.none : names.off}</p>}
    </Panel>
  );
}
