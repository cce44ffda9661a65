/** Enough digits of a hash to tell machines apart. */
const DIGITS = 12;

/** The name of a machine that sent none. */
export const shortHash = (hash: string): string => hash.slice(0, DIGITS);

/** The hash by which the service knows a machine, with all digits as the tooltip. */
export const MachineHash = ({ hash }: { readonly hash: string }) => (
  <code title={hash}>{shortHash(hash)}</code>
);
