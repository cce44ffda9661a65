/** The events after which a session may be paid: some means of payment take days. */
const EVENTS = ['checkout.session.completed', 'checkout.session.async_payment_succeeded'];

/** Sells one license for each paid session, however often Stripe delivers its events. */
export class Orders {
  /** The orders in progress, by session. */
  #inProgress = new Map();

  constructor(service) {
    this.service = service;
  }

  /**
   * Handles an event of Stripe's.
   *
   * @returns the id of the license; null for events that sell nothing
   */
  handle(event) {
    const session = event.data.object;
    if (!EVENTS.includes(event.type) || session.payment_status === 'unpaid') return null;
    // The shop may sell other things, too.
    if (!session.metadata?.plan) return null;
    // Deliveries of the same session at the same time share one attempt.
    const { id } = session;
    if (!this.#inProgress.has(id)) {
      const order = this.#sell(session).finally(() => this.#inProgress.delete(id));
      this.#inProgress.set(id, order);
    }
    return this.#inProgress.get(id);
  }

  /** @returns the license key of a session; null if it has none, or not yet */
  findKey(sessionId) {
    return this.service.findKey(sessionId);
  }

  /** The shop puts the plan and the customer into the session's metadata when it creates the session. */
  async #sell({ id, metadata, customer_details: { email } }) {
    const plan = await this.service.findPlan(metadata.plan);
    const clientId = await this.service.findOrCreateClient(metadata.customer, email.toLowerCase());
    const order = { clientId, projectName: metadata.plan, plan, externalId: id };
    const { licenseId, key } = await this.service.issueOnce(order);
    console.log(`${key === null ? 'exists' : 'issued'} ${licenseId} for ${id}`);
    return licenseId;
  }
}
