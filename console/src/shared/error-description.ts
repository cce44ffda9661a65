import { ApiError, NoResponse, SessionEnded } from '../api/api-error.js';
import { errorTexts } from '../error-texts.js';
import { texts } from '../texts.js';

interface Description {
  readonly message: string;
  readonly details?: string | undefined;
  /** Of a fault of the service. */
  readonly requestId?: string | undefined;
}

/** What went wrong, in the words of the console. */
export function describeError(error: Error): Description {
  if (error instanceof ApiError) {
    const { code = '', message, details, requestId } = error.body;
    const own = errorTexts[code];
    const isFault = error.status >= 500;
    return {
      ...(own === undefined ? { message, details } : { message: own }),
      ...(isFault && { requestId }),
    };
  }
  const { noResponse, noResponseDetails, ended, unexpected, unexpectedDetails } = texts.errors;
  if (error instanceof NoResponse) return { message: noResponse, details: noResponseDetails };
  if (error instanceof SessionEnded) return { message: ended };
  return { message: unexpected, details: `${unexpectedDetails} ${error.message}` };
}

/** The reasons for which the service rejected fields, by the name of the field in the body. */
export function rejectionsOf(error: Error | null): Readonly<Record<string, readonly string[]>> {
  if (!(error instanceof ApiError)) return {};
  const { errors, field } = error.body;
  return errors ?? (field ? { [field]: [describeError(error).message] } : {});
}
