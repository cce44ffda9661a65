import { execFileSync } from 'node:child_process';
import type { JsonWebKey } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { newFolder } from './customer.js';
import type { Result, RunnerProcess, Status, Thrown } from './runner-process.js';
import { type Asked, type Reply, scripted, type ScriptedService } from './scripted-service.js';
import { withSignature } from './statement.js';

/** A response of the service: JSON (`body`), text, or a fault. */
export interface ScriptedReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly text?: string;
  /** How often the text is sent. */
  readonly repeat?: number;
  /** Spaces are appended up to this length. */
  readonly pad?: number;
  /** `hang_up`, `half` a response, `silence`, `trickle` (a space now and then), or an `endless` body. */
  readonly fault?: string;
  /** What another process of the same program does before the reply is sent. */
  readonly meanwhile?: readonly Step[];
}

/** Exactly one of `replies`, `at`, `restart`, `call`, `disk`, `state` and `files`. */
interface Step {
  /** What the service sends from now on, one per request; the last one repeats. */
  readonly replies?: readonly ScriptedReply[];
  readonly at?: number; // the new time of the clock
  readonly restart?: object; // the program, with these changes to its options
  readonly call?: string;
  readonly argument?: string;
  /** The members of the result to compare. */
  readonly returns?: unknown;
  /** The message is compared with messages.json unless it is given; `option` names a wrong option. */
  readonly throws?: Partial<Thrown> & { readonly code: string; readonly option?: string };
  readonly requests?: readonly (string | { readonly path: string; readonly body: object })[];
  /** The call leaves every byte of the state file as it was. */
  readonly unchanged?: true;
  /** The call replaces the state file with a new one. */
  readonly replaced?: true;
  readonly disk?: {
    /** Members of the state file. */
    readonly change?: object;
    readonly remove?: readonly string[];
    /** The new content of the state file, or of the file `add`. */
    readonly text?: string;
    readonly base64?: string;
    /** Spaces are added up to this length. */
    readonly pad?: number;
    /** The JSON text of a member `added`. */
    readonly member?: string;
    /** The path of another file; `{state}` is the state file. */
    readonly add?: string;
    readonly pipe?: string; // the name of a named pipe to create, which may replace the state file
  };
  /** The whole state file, or null if there must be none. */
  readonly state?: object | null;
  /** The names of all files in the folder. */
  readonly files?: readonly string[];
}

interface Scenario {
  readonly name: string;
  readonly program?: object;
  /** Whether its requests use https. */
  readonly needsTls?: true;
  readonly steps: readonly Step[];
}

interface Scenarios {
  readonly now: number;
  readonly program: object;
  readonly signingKeys: Readonly<Record<string, JsonWebKey>>;
  readonly certificates: Readonly<Record<string, string>>;
  readonly scenarios: readonly Scenario[];
}

export const SCENARIOS = JSON.parse(fs.readFileSync('sdk/scenarios.json', 'utf8')) as Scenarios;

const MESSAGES = JSON.parse(fs.readFileSync('sdk/messages.json', 'utf8')) as {
  readonly errors: Readonly<Record<string, string | readonly string[]>>;
  readonly options: Readonly<Record<string, string>>;
};

/** Plays the service, the clock and the disk of one scenario to the runners of a language. */
export class ScenarioDriver {
  private now = SCENARIOS.now;
  private readonly folder = newFolder();
  private program: object;
  /** The failure of a step that ran during a request. */
  private failure: unknown;

  private constructor(
    /** The second one is for steps that happen during a request. */
    private readonly runners: readonly [RunnerProcess, RunnerProcess],
    private readonly service: ScriptedService,
    private readonly untrusted: string,
    private readonly scenario: Scenario,
  ) {
    this.program = { ...SCENARIOS.program, ...scenario.program };
  }

  /** @param untrusted the address of a server with an untrusted TLS certificate */
  static async play(
    runners: readonly [RunnerProcess, RunnerProcess],
    service: ScriptedService,
    untrusted: string,
    scenario: Scenario,
  ): Promise<void> {
    const driver = new ScenarioDriver(runners, service, untrusted, scenario);
    service.script();
    expect(await driver.start(runners[0])).toEqual({ returns: null });
    for (const step of scenario.steps) await driver.take(step, runners[0]);
  }

  private async take(given: Step, runner: RunnerProcess): Promise<void> {
    const { replies, ...rest } = given;
    if (replies) return this.service.script(...replies.map((reply) => this.reply(reply)));
    const step = this.fill(rest);
    if (step.at !== undefined) this.now = step.at;
    if (step.disk) this.changeDisk(step.disk);
    if (step.state !== undefined) expect(this.state()).toEqual(step.state);
    if (step.files) expect(this.ownFiles()).toEqual(step.files);
    if (step.restart) {
      this.program = { ...SCENARIOS.program, ...this.scenario.program, ...step.restart };
      this.expectResult(await this.start(runner), step);
    }
    if (step.call) await this.call(step, runner);
  }

  private start(runner: RunnerProcess): Promise<Result> {
    const given = Object.entries(this.program).filter(([, value]) => value !== null);
    const options = this.fill(Object.fromEntries(given));
    return runner.start(this.now, options);
  }

  private async call(step: Step, runner: RunnerProcess): Promise<void> {
    const before = this.bytes();
    const old = step.replaced && fs.openSync(this.stateFile, 'r');
    const first = this.service.asked.length;
    const { call: method, argument } = step;
    const result = await runner.call(this.now, method!, argument);
    if (this.failure !== undefined) throw this.failure as Error;
    this.expectResult(result, step);
    if (step.unchanged) expect(this.bytes()).toEqual(before);
    if (old !== undefined) {
      // A process that has the old file open can still read all of it.
      expect(fs.readFileSync(old, 'latin1')).toBe(before);
      expect(this.bytes()).not.toBe(before);
      fs.closeSync(old);
    }
    const asked = this.service.asked.slice(first).map(({ path, body }) => ({
      path,
      body: this.withoutNonce(body),
    }));
    const requests = step.requests?.map((request, index) =>
      typeof request === 'string' ? { path: request, body: asked[index]?.body } : request,
    );
    if (requests) expect(asked).toEqual(requests);
  }

  private expectResult(result: Result, { returns, throws }: Step): void {
    if (throws) {
      const { option, message, ...members } = throws;
      expect(result).toMatchObject({ throws: members });
      this.expectMessage(result.throws!, option, message);
    } else {
      expect(result).not.toHaveProperty('throws');
      if (returns !== undefined) expect({ returns: result.returns }).toMatchObject({ returns });
      const { state, isValid } = Object(result.returns) as Partial<Status>;
      if (state !== undefined) expect([state, isValid]).toEqual([state, state === 'valid']);
    }
  }

  /** Compares a message with `sdk/messages.json`, or with the service's own. */
  private expectMessage(thrown: Thrown, option?: string, ofService?: string): void {
    if (ofService !== undefined) return expect(thrown.message).toBe(ofService);
    const [first] = thrown.message.split(' ');
    if (option !== undefined) {
      // Languages write the same name as machineName and machine_name.
      expect(first!.replaceAll('_', '').toLowerCase()).toBe(option.toLowerCase());
      const texts = Object.values(MESSAGES.options);
      expect(texts.map((text) => text.replace('{option}', first!))).toContain(thrown.message);
      return;
    }
    const [, error] = /\((\w+)\)\.$/.exec(thrown.message) ?? [];
    const texts = [MESSAGES.errors[thrown.code] ?? []].flat();
    expect(
      texts.map((text) => text.replace('{folder}', this.folder).replace('{error}', String(error))),
    ).toContain(thrown.message);
  }

  private reply({ meanwhile = [], ...reply }: ScriptedReply): Reply {
    return async (response, { nonce = '' }) => {
      try {
        if (meanwhile.length > 0) await this.start(this.runners[1]);
        for (const step of meanwhile) await this.take(step, this.runners[1]);
        const { body, ...rest } = this.fill(reply, { nonce });
        scripted({ ...rest, body: withSignature(body, SCENARIOS.signingKeys) })(response, {});
      } catch (error) {
        this.failure = error;
        response.destroy();
      }
    };
  }

  private fill<Value>(value: Value, more: Record<string, string> = {}): Value {
    const { folder, untrusted } = this;
    const { url: service } = this.service;
    return fillIn(value, { ...SCENARIOS.certificates, folder, service, untrusted, ...more });
  }

  /** The body with `{nonce}` instead of its nonce, which must be new in the scenario. */
  private withoutNonce(body: object): object {
    const { nonce } = body as Asked['body'];
    if (!('certificate' in body)) return body;
    // 16 bytes.
    expect(nonce).toMatch(/^[A-Za-z0-9_-]{21}[AQgw]$/);
    const same = this.service.asked.filter((request) => request.body.nonce === nonce);
    expect(same).toHaveLength(1);
    return { ...body, nonce: '{nonce}' };
  }

  private files(): string[] {
    return fs.existsSync(this.folder) ? fs.readdirSync(this.folder).sort() : [];
  }

  /** The names of all files; other users must not be able to read them. */
  private ownFiles(): string[] {
    for (const name of this.files()) {
      const stats = fs.statSync(path.join(this.folder, name));
      if (stats.isFile()) expect([name, stats.mode & 0o777]).toEqual([name, 0o600]);
    }
    return this.files();
  }

  /** The path of the only state file. */
  private get stateFile(): string {
    const names = this.files().filter((name) => /^license-[0-9a-f]{32}\.json$/.test(name));
    expect(names).toHaveLength(1);
    return path.join(this.folder, names[0]!);
  }

  private bytes(): string | null {
    const hasFile = this.files().some((name) => name.endsWith('.json'));
    // Reading a pipe would wait.
    if (!hasFile || !fs.statSync(this.stateFile).isFile()) return null;
    return fs.readFileSync(this.stateFile, 'latin1');
  }

  private state(): unknown {
    if (this.bytes() === null) return null;
    expect(fs.statSync(this.stateFile).mode & 0o777).toBe(0o600);
    expect(fs.statSync(this.folder).mode & 0o777).toBe(0o700);
    return JSON.parse(fs.readFileSync(this.stateFile, 'utf8'));
  }

  private addPipe(name: string): void {
    const pipe = path.join(this.folder, name);
    fs.rmSync(pipe, { force: true });
    execFileSync('mkfifo', [pipe]);
  }

  private addFile(file: string, text = 'left by a process'): void {
    const name = file.includes('{state}') ? file.replace('{state}', this.stateFile) : file;
    fs.writeFileSync(name, text, { mode: 0o600 });
  }

  private changeDisk(disk: NonNullable<Step['disk']>): void {
    const { change = {}, remove = [], text, base64, pad = 0, member, add, pipe } = disk;
    if (pipe ?? add) fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    if (pipe) return this.addPipe(pipe);
    if (add) return this.addFile(add, text);
    const file = this.stateFile;
    const whole = fs.readFileSync(file, 'utf8');
    const write = (content: string | Buffer) => fs.writeFileSync(file, content);
    if (base64 !== undefined) return write(Buffer.from(base64, 'base64'));
    if (text !== undefined) return write(text.padEnd(pad));
    if (member !== undefined) return write(whole.replace('{', () => `{"added":${member},`));
    if (pad > 0) return write(whole.padEnd(pad));
    const members = { ...(this.state() as Record<string, unknown>), ...change };
    const kept = Object.entries(members).filter(([name]) => !remove.includes(name));
    write(JSON.stringify(Object.fromEntries(kept)));
  }
}

/** Replaces `{name}` in every text of a value. */
export function fillIn<Value>(value: Value, values: Readonly<Record<string, string>>): Value {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'string'
      ? member.replaceAll(/\{([\w ,-]+)\}/g, (all, name: string) => values[name] ?? all)
      : member,
  );
  return text === undefined ? value : (JSON.parse(text) as Value);
}
