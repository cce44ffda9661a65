import { Link } from '@tanstack/react-router';
import { type Operation, useMay } from '../api/use-may.js';
import { texts } from '../texts.js';
import { apiKeys } from '../api-keys/api-key-texts.js';
import { team } from '../team/team-texts.js';
import { webhooks } from '../webhooks/webhook-texts.js';
import { sessions, settings, signingKeys } from './account-texts.js';

interface Entry {
  readonly to:
    | '/account'
    | '/account/sessions'
    | '/account/team'
    | '/account/api-keys'
    | '/account/webhooks'
    | '/account/signing-keys';
  readonly name: string;
  /** What the page reads. */
  readonly operation: Operation;
}

const PAGES: readonly Entry[] = [
  { to: '/account', name: texts.account.title, operation: 'getMe' },
  { to: '/account/sessions', name: sessions.title, operation: 'listSessions' },
  { to: '/account/team', name: team.title, operation: 'listMembers' },
  { to: '/account/api-keys', name: apiKeys.title, operation: 'listApiKeys' },
  { to: '/account/webhooks', name: webhooks.title, operation: 'listWebhooks' },
  { to: '/account/signing-keys', name: signingKeys.title, operation: 'getSigningKeys' },
];

/** The pages of the account that this login may read. */
export function SettingsNav() {
  const may = useMay();
  return (
    <nav className="settings" aria-label={settings}>
      <ul>
        {PAGES.filter(({ operation }) => may(operation)).map(({ to, name }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: true }}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
