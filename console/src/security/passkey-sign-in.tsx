import { queryOptions, useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { ApiError, PasskeyUnused } from '../api/api-error.js';
import { bodyOf, publicApi } from '../api/public-client.js';
import { queryClient } from '../api/query-client.js';
import { useWrite } from '../api/use-write.js';
import { session } from '../session/session.js';
import { ErrorNote } from '../shared/error-note.js';
import { Waiting } from '../shared/waiting.js';
import {
  askForPasskey,
  offerPasskeys,
  type PasskeyOptions,
  stopOffering,
  worksHere,
} from './passkeys.js';
import styles from './security.module.css';
import { passkeyErrors, signIn as names } from './security-texts.js';

/** Options are valid for 5 minutes. */
const RENEWAL = 4 * 60_000;

const optionsQuery = queryOptions({
  queryKey: ['passkey-options'],
  queryFn: async () =>
    (await bodyOf(publicApi.POST('/console/session/passkey/options'))).passkeyOptions,
  refetchInterval: RENEWAL,
  refetchOnWindowFocus: false,
  gcTime: 0,
});

/**
 * Signs in with a passkey, with a button or when the browser fills in the email field. Passkeys work at one
 * address only.
 */
export function PasskeySignIn() {
  const { data: options } = useQuery(optionsQuery);
  const isOffered = worksHere(options?.rpId);
  const logIn = useWrite(async (chosen: PasskeyOptions | null) =>
    signIn(
      chosen ??
        (await askForPasskey(await queryClient.fetchQuery({ ...optionsQuery, staleTime: 0 }))),
    ),
  );
  const submit = useEffectEvent(logIn.submit);
  useEffect(() => {
    if (!options || !isOffered) return undefined;
    void offerPasskeys(options).then((chosen) => chosen && submit(chosen));
    return () => void stopOffering();
  }, [options, isOffered]);
  if (!isOffered) return null;
  return (
    <>
      <Waiting wait={logIn.wait} onStop={logIn.cancel} />
      {logIn.error && <ErrorNote error={logIn.error} />}
      <button
        type="button"
        className={styles.signIn}
        aria-disabled={logIn.isPending}
        onClick={() => logIn.isPending || logIn.submit(null)}
      >
        <KeyRound size={16} aria-hidden />
        {names.withPasskey}
      </button>
    </>
  );
}

async function signIn(response: PasskeyOptions): Promise<void> {
  try {
    await session.start(() =>
      bodyOf(publicApi.POST('/console/session/passkey', { body: { response } })),
    );
  } catch (error) {
    const isUnknown = error instanceof ApiError && error.body.code === 'INVALID_CREDENTIALS';
    throw isUnknown ? new PasskeyUnused(passkeyErrors.unknown) : error;
  }
}
