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

/** The requests of the license service that a shop needs, by an API key. */
export class LicenseService {
  constructor(url, apiKey) {
    this.url = url;
    this.apiKey = apiKey;
  }

  /** @returns the id of the plan with this name; names of plans are unique */
  async findPlan(name) {
    let cursor;
    do {
      const page = await this.get('/plans', { limit: 100, cursor });
      const found = page.data.find((plan) => plan.name === name);
      if (found) return found._id;
      cursor = page.nextCursor;
    } while (cursor);
    throw new Error(`There is no plan named ${JSON.stringify(name)}`);
  }

  /** @returns the id of the client with this e-mail address, which is created if there is none */
  async findOrCreateClient(name, email) {
    const found = await this.findClient(email);
    if (found) return found;
    try {
      return (await this.post('/clients', { name, email })).client._id;
    } catch (error) {
      // Another delivery has created it meanwhile.
      const created = isConflict(error, 'CLIENT_EMAIL_TAKEN') && (await this.findClient(email));
      if (created) return created;
      throw error;
    }
  }

  /**
   * Creates a project with its license, or finds that an earlier request has.
   *
   * @param order `{ clientId, projectName, plan, externalId }`; the external id is unique in the account
   * @returns `{ licenseId, key }`; the key is null if the license was there already
   */
  async issueOnce(order) {
    try {
      const { license } = await this.post('/projects/createProject', order);
      return { licenseId: license._id, key: license.key };
    } catch (error) {
      if (!isConflict(error, 'LICENSE_EXISTS')) throw error;
      return { licenseId: error.body.licenseId, key: null };
    }
  }

  /** @returns the key of the license with this external id; null if there is none */
  async findKey(externalId) {
    const { data } = await this.get('/licenses', { externalId });
    return data[0]?.key ?? null;
  }

  /** The search finds addresses that begin with the text. */
  async findClient(email) {
    const { data } = await this.get('/clients', { search: email, limit: 100 });
    return data.find((client) => client.email === email)?._id;
  }

  get(path, query) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    return this.send('GET', `${path}?${new URLSearchParams(given)}`);
  }

  post(path, body) {
    return this.send('POST', path, JSON.stringify(body));
  }

  async send(method, path, body) {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.apiKey}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      body,
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const content = await response.json();
    if (!response.ok) throw new Rejection(response.status, content);
    return content;
  }
}

const isConflict = (error, code) => error instanceof Rejection && error.body.code === code;
