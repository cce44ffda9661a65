const TEXTS = new WeakMap<object, string>();

/** Keeps the JSON text of a response that will be sent again, for as long as the response is in use. */
export function keepText<T extends object>(response: T): T {
  TEXTS.set(Object.freeze(response), JSON.stringify(response));
  return response;
}

/** The JSON text of a response. */
export const serialize = (response: unknown): string =>
  TEXTS.get(response as object) ?? JSON.stringify(response);
