/** The grace period for late payments after a paid period, in milliseconds. */
const GRACE = 3 * 86_400_000;

/** What a dispute does to its license, by its status. An inquiry (`warning_…`) does nothing. */
const DISPUTES = {
  needs_response: 'suspend',
  under_review: 'suspend',
  won: 'resume',
  lost: 'revoke',
};

const timeOf = (seconds) => new Date(seconds * 1000);

/**
 * Keeps licenses in step with what customers pay. Stripe delivers events more than once, for days and in any order, so each handler
 * reads the license first, and changes only what is wrong.
 */
export class Orders {
  #handlers = {
    'checkout.session.completed': (session) => this.#sell(session),
    // Some payment methods take days.
    'checkout.session.async_payment_succeeded': (session) => this.#sell(session),
    'invoice.paid': (invoice) => this.#renew(invoice),
    'customer.subscription.deleted': (subscription) => this.#end(subscription),
    'charge.refunded': (charge) => this.#refund(charge),
    'charge.dispute.created': (dispute) => this.#dispute(dispute),
    'charge.dispute.closed': (dispute) => this.#dispute(dispute),
  };

  /**
   * @param service the license service
   * @param stripe Stripe's API
   */
  constructor(service, stripe) {
    this.service = service;
    this.stripe = stripe;
  }

  /**
   * Handles an event from Stripe.
   *
   * @returns the id of the license; undefined for events that concern none
   */
  async handle({ type, data }) {
    return (await this.#handlers[type]?.(data.object))?._id;
  }

  /** Issues the license of a session with a one-time payment. The license refers to the payment, because refunds and disputes do. */
  #sell({ id, mode, payment_status: status, payment_intent: payment, metadata, ...session }) {
    if (mode !== 'payment' || status === 'unpaid' || !metadata?.plan) return undefined;
    const { customer, customer_details: details } = session;
    return this.#issue(payment ?? id, metadata, { email: details.email, customer });
  }

  /** Issues the license of a subscription with its first paid invoice, and extends it with each further one. */
  async #renew({ parent, lines, customer, customer_email: email }) {
    const { subscription, metadata } = parent?.subscription_details ?? {};
    if (!metadata?.plan) return undefined;
    const paidUntil = Math.max(...lines.data.map(({ period }) => period.end));
    const expiresAt = new Date(timeOf(paidUntil).getTime() + GRACE).toISOString();
    const license = await this.#issue(subscription, metadata, { email, customer, expiresAt });
    const { status, metadata: notes } = license;
    // An invoice may arrive after the next one, or after the end of the subscription.
    if (status === 'REVOKED' || notes.ended || license.expiresAt >= expiresAt) return license;
    const extended = await this.service.change(license._id, { expiresAt });
    const { ended } = extended.metadata;
    return ended ? this.service.change(license._id, { expiresAt: ended }) : extended;
  }

  /** Ends the license with its subscription, and records that for invoices that arrive later. */
  async #end({ id, metadata, ended_at: endedAt }) {
    const license = await this.service.findLicense(id);
    if (!license) return metadata.plan ? notIssuedYet(id) : undefined;
    if (license.status === 'REVOKED' || license.metadata.ended) return license;
    const ended = timeOf(endedAt).toISOString();
    const notes = { ...license.metadata, ended };
    // An unpaid subscription ends after its license.
    const expiresAt = ended < license.expiresAt ? ended : license.expiresAt;
    return this.service.change(license._id, { expiresAt, metadata: notes });
  }

  async #refund({ payment_intent: payment, refunded: isFull }) {
    if (!isFull || !payment) return undefined;
    const license = await this.#findByPayment(payment);
    return license && this.service.act(license, 'revoke', { reason: 'Refunded' });
  }

  /** Asks for the current status of the dispute, because its events may arrive in any order. */
  async #dispute({ id }) {
    const { status, payment_intent: payment } = await this.stripe.disputes.retrieve(id);
    const action = DISPUTES[status];
    if (!action) return undefined;
    const license = await this.#findByPayment(payment);
    const body = action === 'revoke' ? { reason: 'Dispute lost' } : undefined;
    return license && this.service.act(license, action, body);
  }

  /** The license of a payment, or of the subscription whose invoice it paid; undefined if it paid for something else. */
  async #findByPayment(payment) {
    const sold = await this.service.findLicense(payment);
    if (sold) return sold;
    const { data } = await this.stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: payment },
      expand: ['data.invoice'],
    });
    const details = data[0]?.invoice.parent?.subscription_details;
    const { metadata } = details ?? (await this.stripe.paymentIntents.retrieve(payment));
    if (!metadata?.plan) return undefined;
    const found = details && (await this.service.findLicense(details.subscription));
    return found ?? notIssuedYet(payment);
  }

  /**
   * Issues a license, or finds the license that an earlier delivery issued.
   *
   * @param metadata of the session or subscription: `{ plan, customer, order }`
   */
  async #issue(
    externalId,
    { plan: planName, customer: name, order },
    { email, customer, ...term },
  ) {
    const found = await this.service.findLicense(externalId);
    if (found) return found;
    const plan = await this.service.findPlan(planName);
    const clientId = await this.service.findOrCreateClient(name, email, customer ?? order);
    const ids = { clientId, plan, externalId };
    const notes = { metadata: { order, email } };
    return this.service.issueOnce({ ...ids, projectName: planName, ...notes, ...term });
  }
}

/** Stripe delivers the event again, and the sale will have arrived by then. */
function notIssuedYet(id) {
  throw new Error(`No license has been issued for ${id} yet`);
}
