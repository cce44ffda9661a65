import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { components } from '../api/schema.js';

export type Portal = components['schemas']['PortalDto'];
export type PortalSettings = Omit<Portal, 'url'>;

export const portalQuery = queryOptions({
  queryKey: ['portal'],
  queryFn: ({ signal }) => bodyOf(api.GET('/portal', { signal })),
});

export const savePortal = (body: PortalSettings) => bodyOf(api.PUT('/portal', { body }));
