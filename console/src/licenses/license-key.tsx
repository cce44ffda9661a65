import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { License } from '../api/types.js';
import { CopyButton } from '../shared/copy-button.js';
import { ErrorNote } from '../shared/error-note.js';
import { KeyLine } from '../shared/key-line.js';
import { Muted } from '../shared/ui/muted.js';
import { texts } from '../texts.js';
import { hintOf } from './license-name.js';
import { keyQuery } from './license-queries.js';
import { Stack } from '../shared/ui/stack.js';

interface Props {
  readonly license: License;
}

/** The license key, masked until the user shows or copies it, if their role allows that. */
export function LicenseKey({ license }: Props) {
  const { _id: id, isKeyMasked } = license;
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
  const { key: title, keyMasked, showKey, hideKey, copyKey } = texts.licenses;
  return (
    <div role="group" aria-label={title} aria-busy={isPending}>
      <Stack isTight>
        <KeyLine name={title} text={key ?? hintOf(license)}>
          {!isKeyMasked && (
            <>
              <CopyButton label={copyKey} text={request} onFail={setKey} />
              <button
                type="button"
                onClick={() => void (key === null ? request().then(setKey) : setKey(null))}
              >
                {key === null ? showKey : hideKey}
              </button>
            </>
          )}
        </KeyLine>
        {isKeyMasked && <Muted>{keyMasked}</Muted>}
        {error && <ErrorNote error={error} />}
      </Stack>
    </div>
  );
}
