import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { License } from '../api/types.js';
import { endingNextMonth, endingWithin } from '../licenses/license-filter.js';
import { COLUMNS } from '../licenses/license-columns.js';
import { hintOf, nameOf } from '../licenses/license-name.js';
import { type Column, DataTable } from '../shared/data-table.js';
import { DialogButton } from '../shared/dialog-button.js';
import { Fact, Facts } from '../shared/facts.js';
import { Loaded } from '../shared/loaded.js';
import { Muted } from '../shared/ui/muted.js';
import { Loading } from '../shared/ui/loading.js';
import { Panel } from '../shared/ui/panel.js';
import { texts } from '../texts.js';
import { expiringQuery } from './overview-queries.js';
import styles from './expiring.module.css';

const RenewForm = lazy(async () => ({
  default: (await import('../licenses/renew-license.js')).RenewForm,
}));

const ROWS: readonly Column<License>[] = [
  COLUMNS.license,
  COLUMNS.client,
  COLUMNS.project,
  COLUMNS.expires,
  {
    name: texts.overview.action,
    cell: (license) => <Renew license={license} />,
    operation: 'renewLicense',
    isShort: true,
  },
];

interface Props {
  readonly within7: number;
  readonly within30: number;
}

/** The licenses that expire soon, each with a button to renew it. */
export function Expiring({ within7, within30 }: Props) {
  const expiring = useQuery(expiringQuery);
  const { expiring: title, within, noneExpires, moreExpire } = texts.overview;
  return (
    <Panel label={title}>
      <h2>{title}</h2>
      <Facts>
        <Fact name={within(7)}>{within7}</Fact>
        <Fact name={within(30)}>{within30}</Fact>
      </Facts>
      <Loaded query={expiring}>
        {(licenses) =>
          licenses.length > 0 ? (
            <DataTable caption={title} columns={ROWS} rows={licenses} />
          ) : (
            <Muted>{noneExpires}</Muted>
          )
        }
      </Loaded>
      <p className={styles.links}>
        {within30 > (expiring.data?.length ?? within30) && (
          <Link to="/licenses" search={endingWithin(30, new Date())}>
            {moreExpire}
          </Link>
        )}
        <Link to="/licenses" search={endingNextMonth(new Date())}>
          {texts.licenses.nextMonth}
        </Link>
      </p>
    </Panel>
  );
}

const Renew = ({ license }: { readonly license: License }) => (
  <DialogButton
    operation="renewLicense"
    label={texts.renew.action}
    name={`${texts.renew.action} ${hintOf(license)}`}
    title={texts.renew.title(nameOf(license))}
  >
    {(close) => (
      <Suspense fallback={<Loading />}>
        <RenewForm license={license} onClose={close} />
      </Suspense>
    )}
  </DialogButton>
);
