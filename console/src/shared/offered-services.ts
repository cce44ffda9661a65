const meta = document.querySelector<HTMLMetaElement>('meta[name="services"]');

/** What licenses of this service may include. The service puts it into the page. */
export const OFFERED_SERVICES: readonly string[] = decodeURIComponent(meta?.content ?? '')
  .split(',')
  .filter(Boolean);
