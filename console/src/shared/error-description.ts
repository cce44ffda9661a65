import { ApiError, NoResponse, PasskeyUnused, SessionEnded } from '../api/api-error.js';
import { errorTexts } from '../error-texts.js';
import { texts } from '../texts.js';

interface Description {
  readonly message: string;
  readonly details?: string | undefined;
  /** Set if the service is at fault. */
  readonly requestId?: string | undefined;
}

/** Describes an error in the console's own words. */
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
  if (error instanceof PasskeyUnused) return { message: error.message };
  return { message: unexpected, details: `${unexpectedDetails} ${error.message}` };
}

/** Why the service rejected fields, by field name in the body. */
export function rejectionsOf(error: Error | null): Readonly<Record<string, readonly string[]>> {
  if (!(error instanceof ApiError)) return {};
  const { errors, field } = error.body;
  return errors ?? (field ? { [field]: [describeError(error).message] } : {});
}
