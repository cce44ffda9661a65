import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorNote } from '../shared/error-note.js';
import { Page } from '../shared/page.js';
import { NarrowMain } from '../shared/ui/narrow-main.js';
import { texts } from '../texts.js';

/** Shown instead of a page that failed. */
export function Failure({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <Page title={texts.errors.failed}>
      <ErrorNote error={error as Error} onRetry={() => router.invalidate()} />
    </Page>
  );
}

/** Shown instead of everything if the session check failed. */
export const FailureOfSession = (props: ErrorComponentProps) => (
  <NarrowMain>
    <Failure {...props} />
  </NarrowMain>
);
