/**
 * @param message the text of the specification, or one in the same style
 * @param details what happened in more detail, or what the caller can do about it
 * @param retryAfter seconds for Retry-After, if they do not depend on the request
 */
export const error =
  (status: number) => (message: string, details?: string, retryAfter?: number) => ({
    status,
    message,
    details,
    retryAfter,
  });

export const badRequest = error(400);
export const unauthorized = error(401);
export const denied = error(403);
export const notFound = error(404);
export const conflict = error(409);
export const tooManyRequests = error(429);
export const failure = error(500);
export const unavailable = error(503);
