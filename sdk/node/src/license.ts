import { certificateText, requestText } from './by-hand.js';
import { CERTIFICATE_MESSAGES, folderError, LicenseError, reasonOf } from './license-error.js';
import { keepFresh } from './keep-fresh.js';
import { deriveFingerprint } from './machine-id.js';
import { Memory } from './memory.js';
import { checkOptions, type LicenseOptions, type Settings } from './options.js';
import { errorOf } from './reply-error.js';
import { type Reply, type SeatReply, type Sender, ServiceClient } from './service-client.js';
import { StateFile } from './state-file.js';
import { invalid, type Status, withReason } from './status.js';
import {
  isLeased,
  judgeStored,
  NOTHING_STORED,
  type Received,
  licenseOf,
  type StoredState,
  withCertificate,
} from './stored-state.js';
import { type VerifiedReply, type VerifiedSeatReply, verifyReply } from './verified-reply.js';
import { type Program, readCertificate } from './verify.js';

/** Seconds between writes of the remembered time, so frequent calls of status() spare the disk. */
const REMEMBER_EVERY = 3600;

/** The license of this program on this machine. */
export class License {
  private readonly settings: Settings;
  private readonly client: ServiceClient;
  private readonly file: StateFile;
  private knownFingerprint: string | undefined;
  private readonly memory = new Memory();

  /** @throws LicenseError `option`, with a message that names the wrong option */
  constructor(options: LicenseOptions) {
    this.settings = checkOptions(options);
    const { issuer, product, folder, fingerprint } = this.settings;
    this.knownFingerprint = fingerprint;
    this.client = new ServiceClient(this.settings);
    this.file = new StateFile(folder, { issuer, product, fingerprint: () => this.fingerprint });
  }

  /** Whether the program may run. Reads the state file. Never uses the network and never throws. */
  status(): Status {
    try {
      const read = this.file.read();
      if ('state' in read) return read;
      const stored = this.memory.withUnstored(read);
      const now = this.settings.now();
      const { isClockAhead } = this.memory;
      const status = judgeStored(stored, this.program, { now, isClockAhead });
      if (status.isValid) {
        this.memory.isClockAhead = false;
        this.rememberTime(stored, now);
      }
      return this.memory.failure === null ? status : withReason(status, this.memory.failure);
    } catch (error) {
      return invalid('unreadable', reasonOf(error));
    }
  }

  /**
   * Call this when the program starts. If the license is not valid, refreshes it or extends its lease; if that fails, activates the key.
   *
   * @param key if blank or absent, nothing is activated and nothing is thrown
   * @throws LicenseError as for activate()
   */
  async ensure(key?: string | null): Promise<Status> {
    const status = this.status();
    const refreshed = status.isValid ? status : await this.refreshOrBeat();
    const isKeyGiven = typeof key === 'string' && key.trim() !== '';
    return refreshed.isValid || !isKeyGiven ? refreshed : this.activate(key);
  }

  /**
   * Takes a free seat on the license for this machine unless it holds one, and stores the key and certificate. A different stored
   * key is replaced only on success.
   *
   * @throws LicenseError with the code `LICENSE_KEY_REQUIRED`, `folder`, a rejection, a reason of refresh(), or a code of the
   *   service such as `MACHINE_LIMIT_REACHED`
   */
  async activate(key: string): Promise<Status> {
    if (typeof key !== 'string' || !key.trim()) {
      throw new LicenseError('LICENSE_KEY_REQUIRED', 'Enter a license key.');
    }
    // An activation that cannot be stored would be lost.
    this.inFolder(() => this.file.proveWritable());
    this.inFolder(() => this.file.read());
    const sender = this.sender(key.trim());
    const reply = this.received(sender, await this.client.activate(sender));
    if (reply.outcome !== 'received') throw errorOf(reply, sender.key);
    this.store(reply);
    return this.status();
  }

  /**
   * Fetches a new certificate, or stores the service's rejection of the license. Without a valid response, only `reason` changes.
   * Never throws or takes a released seat again. Once a day is enough. For a license with leases, only heartbeat() fetches
   * certificates.
   */
  async refresh(): Promise<Status> {
    try {
      const stored = this.file.read();
      const key = 'state' in stored ? null : stored.key;
      if (key !== null) {
        const sender = this.sender(key);
        this.accept(key, this.received(sender, await this.client.refresh(sender)));
      }
    } catch (error) {
      this.memory.failure = reasonOf(error);
    }
    return this.status();
  }

  /**
   * Refreshes as often as the certificate requires, even after a laptop has slept. For a floating license, sends heartbeats. It
   * does not keep a program running.
   *
   * @param onChange called with the first status and whenever the state changes; exceptions it throws become process warnings
   * @returns stops it
   */
  keepFresh(onChange?: (status: Status) => void): () => void {
    const [status, refresh] = [() => this.status(), () => this.refreshOrBeat()];
    return keepFresh({ now: this.settings.now, status, refresh }, onChange);
  }

  /**
   * For a floating license: extends this machine's lease or takes a free seat, and stores the new certificate. Three times per
   * lease is enough.
   *
   * @throws LicenseError as for activate(), or with the code `LICENSE_HAS_NO_LEASES` or `LICENSE_NOT_ACTIVATED`
   */
  async heartbeat(): Promise<Status> {
    const sender = this.sender(this.inFolder(() => this.storedKey()));
    const reply = this.received(sender, await this.client.heartbeat(sender));
    if (reply.outcome !== 'failed') this.inFolder(() => this.accept(sender.key, reply));
    if (reply.outcome !== 'received') throw errorOf(reply);
    return this.status();
  }

  /**
   * Releases this machine's seat and deletes the stored key and certificate, even if the machine holds no seat.
   *
   * @throws LicenseError with the code `LICENSE_KEY_REQUIRED`, `folder`, a reason of refresh(), or a code of the service such as
   *   `RELEASE_NOT_ALLOWED`, `RELEASE_LIMIT_REACHED`, `CERTIFICATE_OUTSTANDING` or `MACHINE_NOT_FOUND`
   */
  async release(): Promise<Status> {
    const sender = this.inFolder(() => {
      const key = this.storedKey();
      // A certificate that cannot be deleted would act as a second seat.
      this.file.proveWritable();
      return this.sender(key);
    });
    const reply = await this.client.release(sender);
    const isReleased = reply.outcome === 'released';
    if (isReleased || ('code' in reply && reply.code === 'MACHINE_NOT_FOUND')) {
      this.inFolder(() => this.file.deleteIf(({ key }) => key === sender.key));
      this.memory.noteSuccess(this.settings.now());
    }
    if (!isReleased) throw errorOf(reply);
    return this.status();
  }

  /**
   * For an offline machine: returns the JSON text that the vendor needs to issue a certificate.
   *
   * @throws LicenseError `folder` if the machine has no unique id and the folder cannot store one
   */
  request(): string {
    return this.inFolder(() => requestText(this.program));
  }

  /**
   * For an offline machine: stores the certificate that the vendor sent, even if a mail program has wrapped it.
   *
   * @throws LicenseError with the code `folder`, or with the rule that the certificate breaks, such as `signature`
   */
  install(certificate: string): Status {
    const text = typeof certificate === 'string' ? certificateText(certificate) : '';
    const result = this.inFolder(() => readCertificate(text, this.program));
    if ('state' in result) {
      const reason = result.reason as keyof typeof CERTIFICATE_MESSAGES;
      throw new LicenseError(reason, CERTIFICATE_MESSAGES[reason]);
    }
    this.store({ text, certificate: result });
    return this.status();
  }

  /**
   * Deletes the stored key and certificate. The license stays bound to this machine.
   *
   * @throws LicenseError `folder`
   */
  forget(): void {
    this.inFolder(() => this.file.delete());
    this.memory.noteSuccess(this.settings.now());
  }

  /** Never throws. */
  private async refreshOrBeat(): Promise<Status> {
    try {
      const stored = this.file.read();
      if (!('state' in stored) && isLeased(stored, this.program)) return await this.heartbeat();
    } catch {
      // The refresh reports why.
    }
    return this.refresh();
  }

  private get fingerprint(): string {
    return (this.knownFingerprint ??= deriveFingerprint(this.settings));
  }

  private get program(): Program {
    return { ...this.settings, fingerprint: this.fingerprint };
  }

  private rememberTime({ certificate, rememberedTime }: StoredState, now: number): void {
    if (now < rememberedTime + REMEMBER_EVERY) return;
    try {
      this.file.update(
        (stored) =>
          'state' in stored || stored.certificate !== certificate
            ? undefined
            : { ...stored, rememberedTime: Math.max(stored.rememberedTime, Math.floor(now)) },
        { timeout: 0 },
      );
    } catch {
      // In a read-only folder, the license stays valid. If another process holds the lock, a later call writes the time.
    }
  }

  private storedKey(): string {
    const stored = this.file.read();
    if (!('state' in stored) && stored.key !== null) return stored.key;
    throw new LicenseError('LICENSE_KEY_REQUIRED', 'No license key is stored. Activate one first.');
  }

  private sender(key: string): Sender {
    return { key, fingerprint: this.inFolder(() => this.fingerprint) };
  }

  private received(sender: Sender, reply: SeatReply): VerifiedSeatReply;
  private received(sender: Sender, reply: Reply): VerifiedReply;
  private received({ key }: Sender, reply: Reply): VerifiedReply {
    const { program } = this;
    const storedLicense = () => {
      const stored = this.inFolder(() => this.file.read());
      return 'state' in stored || stored.key !== key ? undefined : licenseOf(stored, program);
    };
    return verifyReply(reply, { key, program, storedLicense });
  }

  private accept(key: string, reply: VerifiedReply): void {
    // Another process may have replaced or deleted the key since.
    const update = (change: (stored: StoredState) => StoredState | undefined) =>
      this.file.update((stored) =>
        'state' in stored || stored.key !== key ? undefined : change(stored),
      );
    switch (reply.outcome) {
      case 'received':
        update((stored) => this.afterReceipt(stored, reply));
        this.memory.noteSuccess(this.settings.now(), reply);
        break;
      case 'leased':
        // Nothing is signed, so a stored rejection stays.
        this.memory.failure = null;
        break;
      case 'rejected':
        // Remembered until it is stored.
        this.memory.unstored = { ...reply, key };
        update((stored) => this.memory.withUnstored(stored));
        this.memory.noteStored();
        break;
      case 'failed':
        this.memory.failure = reply.reason;
    }
  }

  private store(received: Received): void {
    const after = (stored: StoredState | Status) =>
      this.afterReceipt('state' in stored ? NOTHING_STORED : stored, received);
    this.inFolder(() => this.file.update(after));
    this.memory.noteSuccess(this.settings.now(), received.key === undefined ? undefined : received);
  }

  private afterReceipt(stored: StoredState, received: Received): StoredState {
    const before = this.memory.withUnstored(stored);
    return withCertificate(before, received, this.program, this.settings.now());
  }

  /** @throws LicenseError `folder` for an error of the file system */
  private inFolder<Result>(action: () => Result): Result {
    try {
      return action();
    } catch (error) {
      throw folderError(this.settings.folder, error);
    }
  }
}
