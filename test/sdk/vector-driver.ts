import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { PublicJwk } from '../../sdk/node/src/signing-keys.js';
import { newFolder } from './customer.js';
import type { Result, RunnerProcess } from './runner-process.js';
import { json, type ScriptedService } from './scripted-service.js';

interface Arrival {
  readonly certificate: string;
  readonly isInstalled?: boolean;
}

/** As docs/guides/certificates.md describes them. */
export interface Vector extends Arrival {
  readonly name: string;
  readonly keys: readonly PublicJwk[];
  readonly issuer: string;
  readonly product: string;
  readonly fingerprint: string;
  readonly now: number;
  readonly rememberedTime: number;
  readonly rejection: string | null;
  /** The program's release date, if it has one. */
  readonly releasedAt?: string;
  /** A program without state may accept it. */
  readonly isPortability?: true;
  /** Certificates that arrived before. */
  readonly earlier?: readonly Arrival[];
  readonly expected: {
    readonly state: string;
    readonly reason: string | null;
    /** Seconds since 1970, or null. */
    readonly validUntil?: number | null;
    /** A field of the status, as the runner writes it. */
    readonly [member: string]: unknown;
  };
}

export const VECTORS = JSON.parse(fs.readFileSync('sdk/vectors.json', 'utf8')) as Vector[];

/** Lets a runner judge a certificate: a single one from a state file, several as they arrive. */
export async function judgeVector(
  runner: RunnerProcess,
  service: ScriptedService,
  vector: Vector,
): Promise<Result> {
  const folder = newFolder();
  const { issuer, product, keys, fingerprint, now, releasedAt } = vector;
  const program = { issuer, product, keys, fingerprint, ...(releasedAt && { releasedAt }) };
  const options = { service: service.url, folder, ...program };
  try {
    if (vector.earlier) await runner.start(now, options);
    else writeState(folder, vector);
    const arrivals = vector.earlier ? [...vector.earlier, vector] : [];
    for (const { certificate, isInstalled } of arrivals) {
      service.script(json(200, { valid: true, status: 'active', certificate }));
      const result = isInstalled
        ? await runner.call(now, 'install', certificate)
        : await runner.call(now, 'activate', 'a key');
      if (result.throws) return result;
    }
    // State in memory is not part of a vector.
    await runner.start(now, options);
    return await runner.call(now, 'status');
  } finally {
    fs.rmSync(path.dirname(folder), { recursive: true });
  }
}

function writeState(folder: string, vector: Vector): void {
  const { issuer, product, fingerprint, certificate, rejection, rememberedTime } = vector;
  const owner = `license-state:v1\n${issuer}\n${product}`;
  const name = createHash('sha256').update(owner).digest('hex').slice(0, 32);
  const machine = createHash('sha256').update(`${owner}\n${fingerprint}`).digest('base64url');
  const state = {
    ...{ version: 1, machine, key: 'a key', certificate, installed: null },
    ...{ rejection, rememberedTime },
  };
  fs.mkdirSync(folder, { mode: 0o700 });
  fs.writeFileSync(path.join(folder, `license-${name}.json`), JSON.stringify(state));
}
