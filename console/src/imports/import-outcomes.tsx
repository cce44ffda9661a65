import type { ImportOutcome } from '../api/types.js';
import { Badge } from '../shared/badge.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { Fact, Facts } from '../shared/facts.js';
import { Panel } from '../shared/ui/panel.js';
import { texts } from '../texts.js';
import { fields, imports as names, outcomes as outcomeNames, rejections } from './import-texts.js';
import type { Outcome, Progress } from './use-import.js';

/** Maximum number of rows to list. */
const LISTED = 100;

type Row = Outcome & { readonly _id: string };

/** The look of each outcome, borrowed from license statuses. */
const LOOKS = {
  created: 'active',
  same: 'suspended',
  differs: 'expired',
  rejected: 'revoked',
  deferred: 'pending',
} as const satisfies Record<ImportOutcome, string>;

const COLUMNS: readonly Column<Row>[] = [
  { name: names.row, cell: ({ line }) => line, isShort: true },
  { name: names.ref, cell: ({ ref }) => ref ?? texts.none, card: 'head' },
  {
    name: names.outcome,
    cell: ({ outcome }) => <Badge look={LOOKS[outcome]}>{outcomeNames[outcome]}</Badge>,
    card: 'head',
  },
  { name: names.reason, cell: (row) => reasonOf(row), card: 'plain' },
];

/** The number of rows per outcome, and the rows to review. */
export function ImportOutcomes({ mode, outcomes, isTooMany }: Progress) {
  const counts = Object.entries(outcomeNames).flatMap(([outcome, name]) => {
    const count = outcomes.filter((one) => one.outcome === outcome).length;
    return count > 0 ? [[name, count] as const] : [];
  });
  const problems = outcomes.filter(({ outcome }) => NOTABLE.includes(outcome)).slice(0, LISTED);
  const title = mode === 'check' ? names.checked : names.imported;
  return (
    <Panel label={title}>
      <h2>{title}</h2>
      <Facts>
        {counts.map(([name, count]) => (
          <Fact key={name} name={name}>
            {count.toLocaleString('en')}
          </Fact>
        ))}
      </Facts>
      {isTooMany && <p role="alert">{names.exceeds}</p>}
      {problems.length > 0 && (
        <DataTable
          caption={names.first(problems.length)}
          columns={COLUMNS}
          rows={problems.map((one) => ({ ...one, _id: String(one.line) }))}
        />
      )}
    </Panel>
  );
}

const NOTABLE: readonly ImportOutcome[] = ['rejected', 'differs'];

function reasonOf({ code, field, fields: differing }: Outcome): string {
  const about = (differing ?? (field ? [field] : [])).map(labelOf).join(', ');
  const reason = code && (rejections[code] ?? code);
  return [about, reason].filter(Boolean).join(': ') || texts.none;
}

const labelOf = (field: string) => fields[field as keyof typeof fields] ?? field;
