/** Timeout of a request to the license service, in milliseconds. */
const TIMEOUT = 10_000;

/** The license service rejected a request. */
export class Rejection extends Error {
  /** @param body `{ code, message, ... }`, as the API document describes it */
  constructor(status, body) {
    super(`The license service responded with ${status}: ${body.code} ${body.details ?? ''}`);
    this.status = status;
    this.body = body;
  }
}

/** The requests to the license service that a shop needs, with an API key. */
export class LicenseService {
  /** @param shopEmail an address of the shop, for customers whose own address is taken */
  constructor(url, apiKey, shopEmail) {
    this.url = url;
    this.apiKey = apiKey;
    this.shopEmail = shopEmail;
  }

  /** @returns the id of the plan with this name; names of plans are unique */
  async findPlan(name) {
    const plan = await this.findOne('/plans', { name });
    if (!plan) throw new Error(`There is no plan named ${JSON.stringify(name)}`);
    // The software sends its product, so a license without a product would be unknown to it.
    if (!plan.product) throw new Error(`The plan ${JSON.stringify(name)} has no product`);
    return plan._id;
  }

  /**
   * Addresses are unique across all vendors of the service. If another vendor's client has the customer's, the client gets one
   * of the
   * shop's, with the customer's id.
   *
   * @param customer an id of the customer, or of the order of a guest
   * @returns the id of the client, which is created if there is none
   */
  async findOrCreateClient(name, email, customer) {
    const [user, domain] = this.shopEmail.split('@');
    const own = `${user}+${customer}@${domain}`;
    const clientId =
      (await this.findOrCreateClientWith(name, email)) ??
      (await this.findOrCreateClientWith(name, own));
    if (!clientId) throw new Error(`Another vendor has a client with the address ${own}`);
    return clientId;
  }

  /** @returns undefined if another vendor's client has the address */
  async findOrCreateClientWith(name, email) {
    const find = async () => (await this.findOne('/clients', { email }))?._id;
    const found = await find();
    if (found) return found;
    try {
      return (await this.send('POST', '/clients', { name, email })).client._id;
    } catch (error) {
      if (!isConflict(error, 'CLIENT_EMAIL_TAKEN')) throw error;
      // Another delivery may have created it in the meantime.
      return find();
    }
  }

  /**
   * Creates a project with its license, or finds the one from an earlier delivery.
   *
   * @param order `{ clientId, projectName, plan, externalId, ... }`; the external id is unique in the account
   */
  async issueOnce(order) {
    try {
      const { license } = await this.send('POST', '/projects/createProject', order);
      console.log(`issued ${license._id} for ${order.externalId}`);
      return license;
    } catch (error) {
      if (!isConflict(error, 'LICENSE_EXISTS')) throw error;
      return this.send('GET', `/licenses/${error.body.licenseId}`);
    }
  }

  /** @returns the license with this external id; undefined if there is none */
  findLicense(externalId) {
    return this.findOne('/licenses', { externalId });
  }

  /** @returns the key of the license of an order; undefined if there is none */
  async findKey(order) {
    return (await this.findOne('/licenses', { metadata: `order:${order}` }))?.key;
  }

  async change(licenseId, changes) {
    return (await this.send('PATCH', `/licenses/${licenseId}`, changes)).license;
  }

  /** @param action `suspend`, `resume` or `revoke`; a revoked license stays as it is */
  async act({ _id, status }, action, body) {
    if (status === 'REVOKED') return { _id, status };
    return (await this.send('POST', `/licenses/${_id}/${action}`, body)).license;
  }

  async findOne(path, query) {
    return (await this.send('GET', `${path}?${new URLSearchParams(query)}`)).data[0];
  }

  async send(method, path, body) {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.apiKey}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const content = await response.json();
    if (!response.ok) throw new Rejection(response.status, content);
    return content;
  }
}

const isConflict = (error, code) => error instanceof Rejection && error.body.code === code;
