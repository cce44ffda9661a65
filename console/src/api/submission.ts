import { session } from '../session/session.js';
import { Cancelled, isRejection, SessionEnded } from './api-error.js';
import { randomKey } from './random-key.js';
import { unsettledKeys } from './unsettled-keys.js';

/** A write that a user has submitted. It is sent in the account that submitted it alone, until it is over. */
export class Submission<Output> {
  /** Whether the service may have executed it: a response was lost, or has not arrived yet. */
  mayBeExecuted = false;
  private readonly account = session.account;
  private readonly key = randomKey();

  /** @param write what sends it once. It contains the input, and is forgotten when the submission is over. */
  constructor(private write: ((idempotencyKey: string) => Promise<Output>) | null) {}

  get isOver(): boolean {
    return this.write === null;
  }

  end(): void {
    this.write = null;
    unsettledKeys.forget(this.key);
  }

  /** @throws Cancelled, SessionEnded, and what the write throws */
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
