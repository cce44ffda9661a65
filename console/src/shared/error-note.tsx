import { ApiError, isSettled } from '../api/api-error.js';
import { texts } from '../texts.js';
import { CopyButton } from './copy-button.js';
import { describeError, rejectionsOf } from './error-description.js';
import styles from './error-note.module.css';

interface Props {
  readonly error: Error;
  readonly onRetry?: () => unknown;
  /** The names of fields that show themselves why they were rejected. */
  readonly fields?: readonly string[];
}

/** What went wrong, with what an operator needs to find the request where the service is at fault. */
export function ErrorNote({ error, onRetry, fields = [] }: Props) {
  const { message, details, requestId } = describeError(error);
  const isFinal = error instanceof ApiError && isSettled(error.status);
  const rejected = Object.entries(rejectionsOf(error));
  const others = rejected.filter(([name]) => !fields.includes(name));
  if (rejected.length > 0 && others.length === 0) return null;
  const reasons = others.flatMap(([, all]) => all).filter((reason) => reason !== message);
  return (
    <div className={styles.note}>
      <div role="alert">
        <p className={styles.message}>{message}</p>
        {details && <p>{details}</p>}
        {reasons.length > 0 && (
          <ul>
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
      </div>
      {requestId && (
        <p className={styles.requestId}>
          {texts.errors.requestId} <code>{requestId}</code>
          <CopyButton label={texts.errors.copyRequestId} text={async () => requestId} />
        </p>
      )}
      {onRetry && !isFinal && (
        <button type="button" onClick={() => onRetry()}>
          {texts.tryAgain}
        </button>
      )}
    </div>
  );
}
