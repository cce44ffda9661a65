import { useMutation } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { isOutdated, type Wait, waitAfter } from './api-error.js';
import { readPageAgain } from './query-client.js';
import { Submission } from './submission.js';

/** The state of a write that a form needs. */
export interface Write {
  readonly isPending: boolean;
  readonly isDone: boolean;
  readonly error: Error | null;
  /** Set while the write waits for a retry. */
  readonly wait: Wait | null;
  /**
   * Stops retrying.
   *
   * @returns whether the service may have executed the write anyway
   */
  readonly cancel: () => boolean;
}

/**
 * A write by the user. It waits and retries as {@link queryClient} says, with one `Idempotency-Key`, so it
 * is executed only once, and only in the account that submitted it. Afterwards the page refetches
 * everything, even after an error if the error shows that the page is outdated.
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
