/** A certificate of the vectors' issuer, signed as it is: header and payload are JSON texts. */
export function issue(changes: { readonly header: string; readonly payload: string }): string;
