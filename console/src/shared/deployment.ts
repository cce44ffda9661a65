/** What the service has put into the page about itself. */
const setting = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';

/** The path below which the service is. */
export const BASE_PATH = setting('base-path');

/** The address of the service. */
export const SERVICE = location.origin + BASE_PATH;

/** What licenses of this service may include. */
export const OFFERED_SERVICES: readonly string[] = decodeURIComponent(setting('services'))
  .split(',')
  .filter(Boolean);

/** Whether members may import licenses. */
export const TAKES_IMPORTS = setting('import') === 'on';
