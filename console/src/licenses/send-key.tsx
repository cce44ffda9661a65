import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../api/use-may.js';
import { useWrite } from '../api/use-write.js';
import { clientQuery } from '../clients/client-queries.js';
import { sendKey as names } from '../mail/send-key-texts.js';
import { useIsMailOn } from '../mail/use-mail.js';
import { ErrorNote } from '../shared/error-note.js';
import { Waiting } from '../shared/waiting.js';
import { sendKey } from './license-writes.js';

/** Says to which address the key goes. */
export function SendDetails({ clientId }: { readonly clientId: string }) {
  const { data } = useQuery(clientQuery(clientId));
  return data ? names.detailsTo(data.email) : names.details;
}

/** A button that mails the key of a license that was just issued. */
export function SendKey({ id }: { readonly id: string }) {
  const may = useMay();
  const isMailOn = useIsMailOn();
  const [isSent, setSent] = useState(false);
  const { submit, isPending, wait, cancel, error } = useWrite(
    (_input: undefined, key) => sendKey(id, key),
    () => setSent(true),
  );
  if (!isMailOn || !may('sendLicenseKey')) return null;
  if (isSent) return <p role="status">{names.done}</p>;
  const send = () => {
    if (!isPending) submit(undefined);
  };
  return (
    <>
      <p>
        <button type="button" aria-disabled={isPending} onClick={send}>
          {names.action}
        </button>
      </p>
      <Waiting wait={wait} onStop={cancel} />
      {error && <ErrorNote error={error} />}
    </>
  );
}
