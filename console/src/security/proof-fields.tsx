import { useState } from 'react';
import * as inputs from '../api/inputs.js';
import { PasswordField } from '../shared/credential-fields.js';
import { TextField } from '../shared/fields.js';
import { passwordOf, textOf } from '../shared/form.js';
import buttons from '../shared/ui/button.module.css';
import { askForPasskey, type PasskeyOptions } from './passkeys.js';
import styles from './security.module.css';
import { proof as names } from './security-texts.js';

/** The second factors, easiest first. */
const FACTORS = ['passkey', 'totp', 'recovery_code'] as const;

/** A proof of the user's identity: one of these. */
export type Proof =
  | { readonly password: string }
  | { readonly code: string }
  | { readonly recoveryCode: string }
  | { readonly response: PasskeyOptions };

/** Asks for one of the second factors, or for the password if there are none. */
export function ProofFields({ factors }: { readonly factors: readonly string[] }) {
  const offered = FACTORS.filter((factor) => factors.includes(factor));
  const [chosen, choose] = useState(offered[0]);
  const method = chosen && offered.includes(chosen) ? chosen : offered[0];
  return (
    <>
      <input type="hidden" name="method" value={method ?? 'password'} />
      {method === undefined && (
        <PasswordField limits={{ ...inputs.stepUp.password, required: true }} />
      )}
      {method === 'passkey' && <p>{names.passkey}</p>}
      {method === 'totp' && (
        <TextField
          key={method}
          label={names.code}
          name="code"
          required
          autoFocus
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
        />
      )}
      {method === 'recovery_code' && (
        <TextField
          key={method}
          label={names.recoveryCode}
          hint={names.recoveryHint}
          name="recoveryCode"
          required
          autoFocus
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={64}
        />
      )}
      {offered.length > 1 && (
        <div className={styles.others}>
          {offered
            .filter((factor) => factor !== method)
            .map((factor) => (
              <button
                key={factor}
                type="button"
                className={buttons.quiet}
                onClick={() => choose(factor)}
              >
                {names.instead[factor]}
              </button>
            ))}
        </div>
      )}
    </>
  );
}

/**
 * The proof in a submitted form. For a passkey, the browser asks the user now.
 *
 * @param options the options for a passkey
 * @throws PasskeyUnused
 */
export async function proofOf(
  fields: FormData,
  options: () => Promise<PasskeyOptions | null | undefined>,
): Promise<Proof> {
  switch (textOf(fields, 'method')) {
    case 'passkey':
      return { response: await askForPasskey((await options()) ?? {}) };
    case 'totp':
      return { code: textOf(fields, 'code') };
    case 'recovery_code':
      return { recoveryCode: textOf(fields, 'recoveryCode') };
    default:
      return { password: passwordOf(fields, 'password') };
  }
}
