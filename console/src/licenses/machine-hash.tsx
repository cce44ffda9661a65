/** Digits of the hash of a machine that tell it from the others of a page. */
const DIGITS = 12;

/** The machine of a license, which the service knows by a hash; hovering shows all of it. */
export const MachineHash = ({ hash }: { readonly hash: string }) => (
  <code title={hash}>{hash.slice(0, DIGITS)}</code>
);
