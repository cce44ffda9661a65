/** What the service writes into the page about itself. */
const setting = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';

/** The path prefix of the service. */
export const BASE_PATH = setting('base-path');

/** The address of the service. */
export const SERVICE = location.origin + BASE_PATH;

/** The services that licenses may include. */
export const OFFERED_SERVICES: readonly string[] = decodeURIComponent(setting('services'))
  .split(',')
  .filter(Boolean);

/** Whether members may import licenses. */
export const TAKES_IMPORTS = setting('import') === 'on';
