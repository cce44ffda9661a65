import { useSyncExternalStore } from 'react';

/** A confirmation by the user that rejected requests wait for. */
export interface Confirmation {
  /** The accepted second factors; empty if the password is accepted. */
  readonly factors: readonly string[];
  readonly isGiven: Promise<boolean>;
  readonly end: (isGiven: boolean) => void;
}

let current: Confirmation | null = null;
const listeners = new Set<() => void>();

function show(confirmation: Confirmation | null): void {
  current = confirmation;
  listeners.forEach((listener) => listener());
}

/**
 * Asks the user for a confirmation, once for all requests that need it.
 *
 * @returns whether the user confirmed
 */
export function askForConfirmation(factors: readonly string[]): Promise<boolean> {
  if (current === null) {
    let settle: (isGiven: boolean) => void;
    const isGiven = new Promise<boolean>((resolve) => (settle = resolve));
    const end = (given: boolean) => {
      show(null);
      settle(given);
    };
    show({ factors, isGiven, end });
  }
  return current!.isGiven;
}

/** Call it when the user leaves the page or session that needs the confirmation. */
export const dropConfirmation = (): void => current?.end(false);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The pending confirmation. */
export const useConfirmation = (): Confirmation | null =>
  useSyncExternalStore(subscribe, () => current);
