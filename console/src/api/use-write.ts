import { useMutation } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { isOutdated, type Wait, waitAfter } from './api-error.js';
import { readPageAgain } from './query-client.js';
import { Submission } from './submission.js';

/** What a form needs to know of its write. */
export interface Write {
  readonly isPending: boolean;
  readonly isDone: boolean;
  readonly error: Error | null;
  /** While it waits until it is repeated. */
  readonly wait: Wait | null;
  /** Ends the repetitions. @returns whether the service may have executed the write all the same */
  readonly cancel: () => boolean;
}

/**
 * A write of the user's. It waits and is repeated as {@link queryClient} says, with one `Idempotency-Key`, so that it
 * is executed once, and only in the account that submitted it. Afterwards everything that the page shows is read again, also
 * where what it shows is outdated.
 */
export function useWrite<Input, Output>(
  write: (input: Input, idempotencyKey: string) => Promise<Output>,
  onDone: (output: Output) => unknown = () => undefined,
) {
  const latest = useRef<Submission<Output>>(null);
  const { mutate, reset, isPending, isSuccess, error, data, failureReason } = useMutation({
    mutationFn: (submission: Submission<Output>) => submission.send(),
    onSuccess: async (output, submission) => {
      const isCancelled = submission.isOver;
      submission.end();
      if (!isCancelled) await onDone(output);
      readPageAgain();
    },
    onError: (error, submission) => {
      submission.end();
      if (isOutdated(error)) readPageAgain();
    },
  });
  const cancel = useCallback(() => {
    const submission = latest.current;
    if (!submission || submission.isOver) return false;
    submission.end();
    reset();
    return submission.mayBeExecuted;
  }, [reset]);
  const failure = isPending ? failureReason : null;
  const wait = useMemo(() => failure && waitAfter(failure), [failure]);
  const submit = (input: Input) => {
    latest.current = new Submission((key) => write(input, key));
    mutate(latest.current);
  };
  return { submit, cancel, reset, isPending, isDone: isSuccess, wait, error, data };
}
