/** Digits of the hash of a machine that tell it from the others of a page. */
const DIGITS = 12;

/** What a machine without a name is called. */
export const shortHash = (hash: string): string => hash.slice(0, DIGITS);

/** The machine of a license, which the service knows by a hash; hovering shows all of it. */
export const MachineHash = ({ hash }: { readonly hash: string }) => (
  <code title={hash}>{shortHash(hash)}</code>
);
