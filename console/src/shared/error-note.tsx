import { ApiError, isSettled } from '../api/api-error.js';
import { texts } from '../texts.js';
import { CopyButton } from './copy-button.js';
import { describeError, rejectionsOf } from './error-description.js';
import styles from './error-note.module.css';

interface Props {
  readonly error: Error;
  readonly onRetry?: () => unknown;
  /** The fields that show their own errors. */
  readonly fields?: readonly string[];
}

/** An error. If the service is at fault, it includes the request ID for the operator. */
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
