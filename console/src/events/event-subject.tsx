import { Link } from '@tanstack/react-router';
import type { Event } from '../api/types.js';
import { programName } from '../account/program-name.js';
import { useMay } from '../api/use-may.js';

/** Whether the subject of an event is also its actor, so one name is enough. */
export const isAboutActor = ({ subject, actor }: Event): boolean => subject.id === actor.id;

/** The subject of an event: a link if it has a page that the user may read and still exists. */
export function EventSubject({ event: { type, subject } }: { readonly event: Event }) {
  const may = useMay();
  const { name } = subject;
  if (/\.(deleted|removed)$/.test(type)) return name;
  switch (subject.type) {
    case 'license':
      return (
        <Link to="/licenses/$id" params={{ id: subject.id }}>
          {name}
        </Link>
      );
    case 'client':
      return (
        <Link to="/clients/$id" params={{ id: subject.id }}>
          {name}
        </Link>
      );
    case 'plan':
      return <Link to="/plans">{name}</Link>;
    case 'member':
      return may('listMembers') ? <Link to="/account/team">{name}</Link> : name;
    case 'api_key':
      return may('listApiKeys') ? <Link to="/account/api-keys">{name}</Link> : name;
    case 'webhook':
      return may('getWebhook') ? (
        <Link to="/account/webhooks/$id" params={{ id: subject.id }}>
          {name}
        </Link>
      ) : (
        name
      );
    case 'session':
      return programName(name);
    default:
      return name;
  }
}
