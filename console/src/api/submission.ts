import { session } from '../session/session.js';
import { Cancelled, isRejection, SessionEnded } from './api-error.js';
import { randomKey } from './random-key.js';
import { unsettledKeys } from './unsettled-keys.js';

/** A write that a user submitted. It is only ever sent in the account that submitted it. */
export class Submission<Output> {
  /** Whether the service may have executed it, because the response is pending or was lost. */
  mayBeExecuted = false;
  private readonly account = session.account;
  private readonly key = randomKey();

  /** @param write sends the request once. Contains the input, so it is dropped when the submission ends. */
  constructor(private write: ((idempotencyKey: string) => Promise<Output>) | null) {}

  get isOver(): boolean {
    return this.write === null;
  }

  end(): void {
    this.write = null;
    unsettledKeys.forget(this.key);
  }

  /** @throws Cancelled, SessionEnded, or the error of the write */
  async send(): Promise<Output> {
    if (this.write === null) throw new Cancelled();
    if (this.account !== session.account) throw new SessionEnded();
    const { mayBeExecuted } = this;
    this.mayBeExecuted = true;
    try {
      return await this.write(this.key);
    } catch (error) {
      if (isRejection(error)) this.mayBeExecuted = mayBeExecuted;
      throw this.isOver ? new Cancelled() : error;
    }
  }
}
