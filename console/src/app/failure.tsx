import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorNote } from '../shared/error-note.js';
import { Page } from '../shared/page.js';
import { NarrowMain } from '../shared/ui/narrow-main.js';
import { texts } from '../texts.js';

/** In place of a page that has failed. */
export function Failure({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <Page title={texts.errors.failed}>
      <ErrorNote error={error as Error} onRetry={() => router.invalidate()} />
    </Page>
  );
}

/** In place of all, where nobody knows whether there is a session. */
export const FailureOfSession = (props: ErrorComponentProps) => (
  <NarrowMain>
    <Failure {...props} />
  </NarrowMain>
);
