import { type ReactNode, useState } from 'react';
import { ErrorNote } from '../src/shared/error-note.js';
import buttons from '../src/shared/ui/button.module.css';
import { NarrowMain } from '../src/shared/ui/narrow-main.js';
import { codeOf, type Vendor } from './requests.js';
import { texts } from './texts.js';

interface Props {
  readonly vendor: Vendor;
  readonly hasEnded: boolean;
}

/** For those who are signed out. */
export const SignInPage = ({ vendor: { name }, hasEnded }: Props) => (
  <NarrowMain>
    <h1>{texts.signIn}</h1>
    {hasEnded && <p role="status">{texts.signedOut}</p>}
    <p>{texts.askForLink(name)}</p>
  </NarrowMain>
);

interface LinkProps {
  readonly signIn: () => Promise<void>;
  /** What to do about a link that no longer works. */
  readonly otherwise: ReactNode;
}

/** For those who have opened a link. It is used up by a button, because mail scanners open links, too. */
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
