import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { License } from '../../sdk/node/src/license.js';
import type { LicenseOptions } from '../../sdk/node/src/options.js';
import { type Reply, ScriptedService } from './scripted-service.js';
import { active, type Content, DAY, NOW, PROGRAM } from './issuer.js';

export const KEY = 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD';

/** Nothing listens on port 2: connections to it are refused immediately. */
export const NOWHERE = 'http://127.0.0.1:2';

/** The path of a license's state folder, which does not exist yet; it is deleted with the run's temporary folder. */
export const newFolder = (): string =>
  path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'license-sdk-')), 'state');

/** A customer's machine with its own clock, and the scripted service it reaches. */
export class Customer {
  now = NOW;
  folder = newFolder();
  private service: ScriptedService | undefined;

  /** Simulates the service: sends one reply per request, then repeats the last one. */
  async script(...replies: Reply[]): Promise<ScriptedService> {
    this.leave();
    this.service = new ScriptedService();
    this.service.script(...replies);
    await this.service.start();
    return this.service;
  }

  get options(): LicenseOptions {
    return {
      ...PROGRAM,
      service: this.service?.url ?? NOWHERE,
      folder: this.folder,
      // Long enough for a busy machine.
      timeout: 60_000,
      now: () => this.now,
    };
  }

  /** The license of a program that has just started. */
  license(options: Partial<LicenseOptions> = {}): License {
    return new License({ ...this.options, ...options });
  }

  /** An activated license with this certificate. */
  async activated(content: Content = {}): Promise<License> {
    await this.script(active(content));
    await this.license().activate(KEY);
    return this.license();
  }

  get stateFile(): string {
    const name = fs.readdirSync(this.folder).find((file) => file.startsWith('license-'));
    return path.join(this.folder, name!);
  }

  get state(): { readonly rememberedTime: number } {
    return JSON.parse(fs.readFileSync(this.stateFile, 'utf8')) as Customer['state'];
  }

  /** Days later on the machine's clock. */
  wait(days: number): void {
    this.now += days * DAY;
  }

  /** Stops the service. */
  leave(): void {
    this.service?.stop();
    this.service = undefined;
  }
}

/** A customer for each test of the calling block, with nothing stored and no mocks left from other tests. */
export function useCustomer(): Customer {
  const customer = new Customer();
  beforeEach(() => {
    customer.now = NOW;
    customer.folder = newFolder();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    customer.leave();
  });
  return customer;
}
