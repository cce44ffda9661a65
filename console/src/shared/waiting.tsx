import { type QueryState, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { NoResponse, type Wait, waitAfter } from '../api/api-error.js';
import { texts } from '../texts.js';
import { describeError } from './error-description.js';
import { VisuallyHidden } from './ui/visually-hidden.js';
import styles from './waiting.module.css';

interface Props {
  readonly wait: Wait | null;
  /** Stops retrying. */
  readonly onStop?: () => void;
}

/** Shows that a request is waiting to be retried, and for how long. */
export function Waiting({ wait, onStop }: Props) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!wait) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [wait]);
  const seconds = wait ? Math.max(0, Math.ceil((wait.until - now) / 1000)) : 0;
  const { retries, retriesIn, stopWaiting } = texts.errors;
  return (
    <div role="status" className={styles.region}>
      {wait && (
        <div className={styles.waiting}>
          <p>
            {reasonOf(wait.error)} <VisuallyHidden>{retries}</VisuallyHidden>
            {/* Otherwise a screen reader would announce every second. */}
            <span aria-hidden="true">{retriesIn(seconds)}</span>
          </p>
          {onStop && (
            <button type="button" onClick={onStop}>
              {stopWaiting}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function reasonOf(error: Error): string {
  if (error instanceof NoResponse) return texts.errors.noResponse;
  const { message, requestId } = describeError(error);
  return requestId ? `${message} ${texts.errors.requestId}: ${requestId}.` : message;
}

/** The longest wait of all pending reads. */
export function WaitingReads() {
  const client = useQueryClient();
  const [wait, setWait] = useState<Wait | null>(null);
  useEffect(() => {
    const waits = new Map<object, Wait>();
    return client.getQueryCache().subscribe(({ query, type }) => {
      const { fetchStatus, fetchFailureReason } = query.state as QueryState<unknown, Error>;
      const isOver = fetchStatus === 'idle' || type === 'removed';
      const next = isOver || !fetchFailureReason ? null : waitAfter(fetchFailureReason);
      if (next === null) waits.delete(query);
      else if (waits.get(query)?.error !== next.error) waits.set(query, next);
      setWait([...waits.values()].sort((a, b) => b.until - a.until)[0] ?? null);
    });
  }, [client]);
  return <Waiting wait={wait} />;
}
