import { type ReactNode, type SubmitEvent, useState } from 'react';
import * as inputs from '../src/api/inputs.js';
import { ErrorNote } from '../src/shared/error-note.js';
import { TextField } from '../src/shared/fields.js';
import { textOf } from '../src/shared/form.js';
import buttons from '../src/shared/ui/button.module.css';
import { NarrowMain } from '../src/shared/ui/narrow-main.js';
import { codeOf, type Vendor } from './requests.js';
import { texts } from './texts.js';

interface Props {
  readonly vendor: Vendor;
  readonly hasEnded: boolean;
  readonly askForLink: (email: string) => Promise<unknown>;
}

/** Shown to visitors who are signed out. */
export function SignInPage({ vendor: { name, mailsLinks }, hasEnded, askForLink }: Props) {
  const [isSent, setSent] = useState(false);
  if (isSent) {
    return (
      <NarrowMain>
        <h1>{texts.checkMail}</h1>
        <p role="status">{texts.linkSent}</p>
        <button type="button" onClick={() => setSent(false)}>
          {texts.another}
        </button>
      </NarrowMain>
    );
  }
  return (
    <NarrowMain>
      <h1>{texts.signIn}</h1>
      {hasEnded && <p role="status">{texts.signedOut}</p>}
      {mailsLinks ? (
        <EmailForm onSubmit={(email) => askForLink(email).then(() => setSent(true))} />
      ) : (
        <p>{texts.askForLink(name)}</p>
      )}
    </NarrowMain>
  );
}

function EmailForm({ onSubmit }: { readonly onSubmit: (email: string) => Promise<unknown> }) {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    setPending(true);
    setError(null);
    await onSubmit(textOf(new FormData(event.currentTarget), 'email')).catch((cause: Error) => {
      setError(cause);
      setPending(false);
    });
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <TextField
        label={texts.email}
        hint={texts.emailHint}
        {...inputs.requestPortalLink.email}
        autoComplete="email"
      />
      {error && <ErrorNote error={error} />}
      <button type="submit" className={buttons.primary} aria-disabled={isPending}>
        {texts.sendLink}
      </button>
    </form>
  );
}

interface LinkProps {
  readonly signIn: () => Promise<void>;
  /** Explains what to do if a link no longer works. */
  readonly otherwise: ReactNode;
}

/** Shown to visitors who open a sign-in link. A button uses the link, because mail scanners open links too. */
export function LinkPage({ signIn, otherwise }: LinkProps) {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const submit = async () => {
    if (isPending) return;
    setPending(true);
    await signIn().catch(setError);
    setPending(false);
  };
  if (codeOf(error) === 'INVALID_LINK') {
    return (
      <NarrowMain>
        <h1>{texts.signIn}</h1>
        <p role="alert">{texts.linkInvalid}</p>
        {otherwise}
      </NarrowMain>
    );
  }
  return (
    <NarrowMain>
      <h1>{texts.signIn}</h1>
      <p>{texts.openLink}</p>
      {error && <ErrorNote error={error} />}
      <button
        type="submit"
        className={buttons.primary}
        aria-disabled={isPending}
        onClick={() => void submit()}
      >
        {texts.signIn}
      </button>
    </NarrowMain>
  );
}
