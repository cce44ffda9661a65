import { ApiError, NoResponse, SessionEnded } from '../api/api-error.js';
import { texts } from '../texts.js';
import { CopyButton } from './copy-button.js';

interface Props {
  readonly error: Error;
  readonly onRetry?: () => unknown;
}

/** What went wrong, in the service's own words, with what an operator needs to find the request. */
export function ErrorNote({ error, onRetry }: Props) {
  const { message, details, reasons, requestId } = describe(error);
  return (
    <div className="error-note">
      <div role="alert">
        <p className="error-message">{message}</p>
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
        <p className="request-id">
          {texts.errors.requestId} <code>{requestId}</code>
          <CopyButton label={texts.errors.copyRequestId} text={async () => requestId} />
        </p>
      )}
      {onRetry && (
        <button type="button" onClick={() => onRetry()}>
          {texts.tryAgain}
        </button>
      )}
    </div>
  );
}

interface Description {
  readonly message: string;
  readonly details?: string | undefined;
  readonly reasons: readonly string[];
  readonly requestId?: string | undefined;
}

function describe(error: Error): Description {
  if (error instanceof ApiError) {
    const { message, details, error: advice, errors = {}, requestId } = error.body;
    const reasons = Object.values(errors).flat();
    // The details of a rejected body are its reasons, in one sentence.
    return {
      message,
      details: reasons.length > 0 ? undefined : (details ?? advice),
      reasons,
      requestId,
    };
  }
  if (error instanceof NoResponse) {
    const { noResponse: message, noResponseDetails: details } = texts.errors;
    return { message, details, reasons: [] };
  }
  if (error instanceof SessionEnded) return { message: texts.errors.ended, reasons: [] };
  const { unexpected, unexpectedDetails } = texts.errors;
  return { message: unexpected, details: unexpectedDetails, reasons: [error.message] };
}
