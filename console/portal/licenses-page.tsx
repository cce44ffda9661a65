import { useState } from 'react';
import { ErrorNote } from '../src/shared/error-note.js';
import { Muted } from '../src/shared/ui/muted.js';
import { isUsable, LicenseCard, nameOf } from './license-card.js';
import { ReleaseDialog } from './release-dialog.js';
import type { CustomerLicense, CustomerMachine, Licenses, Requests } from './requests.js';
import { texts } from './texts.js';
import styles from './portal.module.css';

/** Maximum number of licenses per request. */
const MOST = 100;

interface Props {
  readonly initial: Licenses;
  readonly mailsKeys: boolean;
  readonly requests: Requests;
  /** Called for each failure; returns whether the session has ended. */
  readonly onFailure: (error: unknown) => boolean;
}

/** A notice about the last action on a license. */
interface Notice {
  readonly license: string;
  readonly text: string;
}

interface Release {
  readonly license: CustomerLicense;
  readonly machine: CustomerMachine;
}

/** The client's licenses and the actions on them. */
export function LicensesPage({ initial, mailsKeys, requests, onFailure }: Props) {
  const [{ data, nextCursor, offlineDays }, setLicenses] = useState(initial);
  const [released, setReleased] = useState<Release | null>(null);
  const [notice, setNotice] = useState<Notice | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const attempt = (work: Promise<unknown>) =>
    work.catch((cause: Error) => {
      if (!onFailure(cause)) setError(cause);
    });
  const showMore = async (cursor: string) => {
    const next = await requests.readLicenses({ cursor });
    setLicenses({ ...next, data: [...data, ...next.data] });
  };
  const sendKey = async ({ _id }: CustomerLicense) => {
    await requests.sendKey(_id);
    setNotice({ license: _id, text: texts.keySent(initial.clientEmail) });
  };
  const release = async ({ license, machine }: Release) => {
    try {
      await requests.release(license._id, machine.machineId);
    } catch (cause) {
      if (onFailure(cause)) return;
      throw cause;
    }
    setReleased(null);
    const text = `${texts.released(nameOf(machine))} ${texts.offline(offlineDays)}`;
    setNotice({ license: license._id, text });
    // Loads as many as were shown, so this license is included.
    const limit = Math.min(data.length, MOST);
    await attempt(requests.readLicenses({ limit }).then(setLicenses));
  };
  const inactive = data.filter((license) => !isUsable(license));
  const card = (license: CustomerLicense) => (
    <LicenseCard
      key={license._id}
      license={license}
      notice={notice?.license === license._id ? notice.text : ''}
      onRelease={(machine) => setReleased({ license, machine })}
      onSendKey={mailsKeys ? () => void attempt(sendKey(license)) : undefined}
    />
  );
  return (
    <main className={styles.main}>
      <h1>{texts.title}</h1>
      {error && <ErrorNote error={error} />}
      {data.length === 0 && <Muted>{texts.none}</Muted>}
      {data.filter(isUsable).map(card)}
      {inactive.length > 0 && <h2 className={styles.section}>{texts.inactive}</h2>}
      {inactive.map(card)}
      {nextCursor !== null && (
        <button type="button" onClick={() => void attempt(showMore(nextCursor))}>
          {texts.showMore}
        </button>
      )}
      {released && (
        <ReleaseDialog
          {...released}
          offlineDays={offlineDays}
          run={() => release(released)}
          onClose={() => setReleased(null)}
        />
      )}
    </main>
  );
}
