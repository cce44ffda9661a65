import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Ending, RunningProcess } from '../smoke/running-process.js';
import type { Program } from './programs.js';

export interface State {
  readonly owner: string;
  readonly lastValidAt: string;
  readonly expiresAt: string;
}

const KEY = 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD';

/** A machine of a customer, on which the program has a state folder of its own. */
export class CustomerMachine {
  readonly id = randomBytes(16).toString('hex');
  readonly stateFolder: string;
  private readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'license-customer-'));
  private readonly env: NodeJS.ProcessEnv;

  /** @param env what differs from a machine with an id, whose customer has entered a key */
  constructor(
    private readonly program: Program,
    env: NodeJS.ProcessEnv = {},
  ) {
    const machineIdFile = path.join(this.folder, 'id-of-the-system');
    fs.writeFileSync(machineIdFile, `${this.id}\n`);
    this.stateFolder = path.join(this.folder, 'state');
    this.env = {
      PATH: process.env.PATH,
      LICENSE_KEY: KEY,
      LICENSE_STATE_DIR: this.stateFolder,
      LICENSE_BACKOFF_MS: '1',
      MACHINE_ID_FILE: machineIdFile,
      ...env,
    };
  }

  /** Starts the program, and waits for its end. */
  start(service: string, env: NodeJS.ProcessEnv = {}, program = this.program): Promise<Ending> {
    return new RunningProcess(program.command, [program.file], {
      folder: this.folder,
      env: { ...this.env, LICENSE_SERVICE_URL: service, ...env },
    }).ended;
  }

  file(name: string): string {
    return path.join(this.stateFolder, name);
  }

  get state(): State {
    return JSON.parse(fs.readFileSync(this.file('license.json'), 'utf8')) as State;
  }

  set state(state: State) {
    fs.writeFileSync(this.file('license.json'), JSON.stringify(state));
  }

  /** Makes the system have this text for its id. */
  setId(text: string): void {
    fs.writeFileSync(path.join(this.folder, 'id-of-the-system'), text);
  }

  /** Copies what the program has kept to another machine. */
  copyStateTo(machine: CustomerMachine): void {
    fs.cpSync(this.stateFolder, machine.stateFolder, { recursive: true });
  }

  leave(): void {
    fs.rmSync(this.folder, { recursive: true });
  }
}
