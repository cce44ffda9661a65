import type { HttpCaller } from '../../http-caller.js';
import { LAPTOP } from '../../e2e/developer.js';

/** Each is validated every two seconds. */
const LICENSES = 40;

/** Adds a customer, and gives the keys of its licenses, which are active. */
export async function addCustomer(service: HttpCaller): Promise<string[]> {
  const vendor = await service.register();
  const { project } = await service.createLicense(vendor);
  const keys: string[] = [];
  while (keys.length < LICENSES) {
    const license = await service.addLicense(vendor, project);
    await service.activate(license, LAPTOP);
    keys.push(license.key);
  }
  return keys;
}
