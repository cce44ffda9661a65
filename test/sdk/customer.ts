import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { License } from '../../sdk/node/src/license.js';
import type { LicenseOptions } from '../../sdk/node/src/options.js';
import { type Reply, ScriptedService } from './scripted-service.js';
import { active, type Content, DAY, NOW, PROGRAM } from './issuer.js';

export const KEY = 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD';

/** Nothing listens on port 2: connections to it are rejected at once. */
export const NOWHERE = 'http://127.0.0.1:2';

/** The path of a folder for the state of a license, which is not there yet; it goes with the temporary folder of the run. */
export const newFolder = (): string =>
  path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'license-sdk-')), 'state');

/** A machine of a customer with a clock of its own, and the scripted service that it reaches. */
export class Customer {
  now = NOW;
  folder = newFolder();
  private service: ScriptedService | undefined;

  /** Takes the place of the service: sends one reply per request, then repeats the last one. */
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
      // A loaded machine must not cause a timeout.
      timeout: 60_000,
      now: () => this.now,
    };
  }

  /** The license of a program that starts now. */
  license(options: Partial<LicenseOptions> = {}): License {
    return new License({ ...this.options, ...options });
  }

  /** A license that has been activated, with this certificate. */
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

  /** Days later, by the clock of the machine. */
  wait(days: number): void {
    this.now += days * DAY;
  }

  /** Stops the service. */
  leave(): void {
    this.service?.stop();
    this.service = undefined;
  }
}

/** The customer of each test of the calling block, for which nothing is stored, and no mock is left of another test. */
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
