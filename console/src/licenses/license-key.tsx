import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { License } from '../api/types.js';
import { CopyButton } from '../shared/copy-button.js';
import { ErrorNote } from '../shared/error-note.js';
import { texts } from '../texts.js';
import { keyQuery } from './license-queries.js';

interface Props {
  readonly license: License;
}

/** The key of a license. Those who may not see keys see its last characters. */
export function LicenseKey({ license: { _id: id, keyHint, isKeyMasked } }: Props) {
  if (!isKeyMasked) return <HiddenKey id={id} />;
  const { key: title, keyMasked } = texts.licenses;
  return (
    <section className="panel" aria-label={title}>
      <h2>{title}</h2>
      <Key value={`•••• ${keyHint}`} />
      <p className="muted">{keyMasked}</p>
    </section>
  );
}

/** A key that is requested when somebody wants to see or copy it. */
function HiddenKey({ id }: { readonly id: string }) {
  const [key, setKey] = useState<string | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [isPending, setPending] = useState(false);
  const queries = useQueryClient();
  const request = async () => {
    if (key !== null) return key;
    setError(null);
    setPending(true);
    try {
      return await queries.fetchQuery(keyQuery(id));
    } catch (cause) {
      setError(cause as Error);
      return null;
    } finally {
      setPending(false);
    }
  };
  const { key: title, keyHidden, showKey, hideKey, copyKey } = texts.licenses;
  return (
    <section className="panel" aria-label={title} aria-busy={isPending}>
      <h2>{title}</h2>
      {key === null ? (
        <p className="muted">{isPending ? texts.loading : keyHidden}</p>
      ) : (
        <Key value={key} />
      )}
      <div className="key">
        <button
          type="button"
          onClick={() => void (key === null ? request().then(setKey) : setKey(null))}
        >
          {key === null ? showKey : hideKey}
        </button>
        <CopyButton label={copyKey} text={request} onFail={setKey} />
      </div>
      {error && <ErrorNote error={error} />}
    </section>
  );
}

export const Key = ({ value }: { readonly value: string }) => (
  <p className="key">
    <output aria-label={texts.licenses.key}>{value}</output>
  </p>
);
