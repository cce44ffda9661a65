import type { HttpResponse } from '../http-caller.js';

/** The rate limit that a response shows: its requests, those that remain, and the seconds until its window ends. */
export const rateLimitOf = ({ headers }: HttpResponse) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
