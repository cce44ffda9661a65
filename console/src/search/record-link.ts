import { linkOptions } from '@tanstack/react-router';
import type { Found } from '../api/types.js';

/** The page of a found record. */
export function linkTo({ kind, _id: id, title }: Found, q: string) {
  switch (kind) {
    case 'license':
      return linkOptions({ to: '/licenses/$id', params: { id } });
    case 'machine': {
      // A machine without a name is shown by the start of its id, which the license page can't search by.
      const search = q.toLowerCase().startsWith(title) ? {} : { search: title };
      return linkOptions({ to: '/licenses/$id', params: { id }, search });
    }
    case 'client':
      return linkOptions({ to: '/clients/$id', params: { id } });
    case 'project':
      return linkOptions({ to: '/licenses', search: { projectId: id } });
    case 'plan':
      return linkOptions({ to: '/licenses', search: { plan: id } });
  }
}
