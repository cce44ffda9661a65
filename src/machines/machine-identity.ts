import { randomUUID } from 'node:crypto';
import os from 'node:os';
import * as imported from 'node-machine-id';

// A CommonJS module marked as an ES module: Node exports all of it as `default`, other loaders do not.
const nodeMachineId = 'default' in imported ? (imported.default as typeof imported) : imported;

/** The identity that the operating system gives this machine; a random one where it has none. */
export function readMachineIdentity(): string {
  let identity = '';
  try {
    identity = nodeMachineId.machineIdSync(true);
  } catch {
    // No shell or no such system call: treated as a system without an identity.
  }
  return isOwnIdentity(identity, os.hostname()) ? identity : randomUUID();
}

/**
 * Whether an identity is unique to one machine. Without its files `node-machine-id` returns the host name,
 * which changes with every container; with empty files, an empty text; some firmware reports all zeros.
 */
export function isOwnIdentity(identity: string, hostname: string): boolean {
  const shortest = 16;
  const isConstant = new Set(identity.replaceAll('-', '')).size < 2;
  return (
    identity.length >= shortest && !isConstant && identity.toLowerCase() !== hostname.toLowerCase()
  );
}
