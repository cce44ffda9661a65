import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Random } from '../random.js';
import { active, ISSUER, KEY } from './customer.js';
import { DAY, FINGERPRINT, NOW, PRODUCT } from './issuer.js';
import { OUTAGES } from './outages.js';
import type { Result, RunnerProcess } from './runner-process.js';
import type { ScriptedService } from './scripted-service.js';

const HOUR = 3600;
/** A loaded machine must not cause a timeout, but where the state is the same after one. */
const [LONG_MS, SHORT_MS] = [60_000, 20];

/** A machine that activates, then runs without a good response until its certificate has ended. */
export class OutageDriver {
  /** What went wrong. */
  readonly wrong: string[] = [];
  private now = NOW;
  private readonly end: number;

  private constructor(
    private readonly runner: RunnerProcess,
    private readonly service: ScriptedService,
    private readonly random: Random,
    private readonly folder: string,
    private readonly days = random.between(1, 30),
  ) {
    this.end = NOW + days * DAY;
  }

  /** Returns what went wrong. */
  static async play(
    runner: RunnerProcess,
    service: ScriptedService,
    random: Random,
  ): Promise<readonly string[]> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'license-outage-'));
    const driver = new OutageDriver(runner, service, random, folder);
    try {
      await driver.play();
      return driver.wrong;
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  }

  private async play(): Promise<void> {
    this.service.script(active({ days: this.days }));
    await this.start(LONG_MS);
    this.expectState('valid', await this.call('activate', KEY));
    await this.start(SHORT_MS);
    while (this.now < this.end - 1) {
      await this.meetOutage();
      const hours = this.random.between(1, 72);
      this.now = Math.min(this.end - 1, this.now + hours * HOUR);
    }
    for (this.now = this.end - 1; this.now <= this.end + 1; this.now++) await this.meetOutage();

    this.service.script(active({ issuedAt: this.now }));
    await this.start(LONG_MS);
    this.expectState('valid', await this.call('refresh'));
  }

  /** The program refreshes, and starts again. */
  private async meetOutage(): Promise<void> {
    this.service.script(this.random.of(OUTAGES));
    const expected = this.now < this.end ? 'valid' : 'ended';
    this.expectState(expected, await this.call('refresh'));
    await this.start(SHORT_MS);
    this.expectState(expected, await this.call('status'));
  }

  private start(timeout: number): Promise<Result> {
    const options = {
      ...{ service: this.service.url, issuer: ISSUER.id, product: PRODUCT, keys: [ISSUER.jwk] },
      ...{ folder: this.folder, fingerprint: FINGERPRINT, timeout },
    };
    return this.runner.run({ do: 'start', now: this.now, options });
  }

  private call(method: string, argument?: string): Promise<Result> {
    return this.runner.run({
      ...{ do: 'call', now: this.now, method },
      ...(argument !== undefined && { argument }),
    });
  }

  private expectState(expected: string, { returns, throws }: Result): void {
    const { state, reason } = (returns ?? {}) as { state?: string; reason?: string };
    if (state === expected) return;
    const got = throws?.code ?? `${state} (${reason})`;
    this.wrong.push(`${got}, not ${expected}, ${this.end - this.now} s before the end`);
  }
}
