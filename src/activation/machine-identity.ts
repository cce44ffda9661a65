import { randomUUID } from 'node:crypto';
import os from 'node:os';
import * as imported from 'node-machine-id';

// A CommonJS module that says it is an ES module: Node gives all of it as `default`, others do not.
const nodeMachineId = 'default' in imported ? (imported.default as typeof imported) : imported;

/**
 * The identity of the machine that this process runs on, as its system knows it; a random one where
 * the system has none of its own.
 */
export function readMachineIdentity(): string {
  let identity = '';
  try {
    identity = nodeMachineId.machineIdSync(true);
  } catch {
    // No shell, or no system call that tells: like a system that has no identity.
  }
  return isOwnIdentity(identity, os.hostname()) ? identity : randomUUID();
}

/**
 * Whether what the system said names one machine. Without its files `node-machine-id` gives the host
 * name, which changes with every container, and with empty ones nothing, which is the same everywhere;
 * some firmware gives all zeros.
 */
export function isOwnIdentity(identity: string, hostname: string): boolean {
  const shortest = 16;
  const isConstant = new Set(identity.replaceAll('-', '')).size < 2;
  return (
    identity.length >= shortest && !isConstant && identity.toLowerCase() !== hostname.toLowerCase()
  );
}
