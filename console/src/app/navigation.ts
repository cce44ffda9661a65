import {
  CircleUser,
  Gauge,
  KeyRound,
  Layers,
  type LucideIcon,
  ScrollText,
  Ticket,
  Users,
  UsersRound,
} from 'lucide-react';
import { apiKeys } from '../api-keys/api-key-texts.js';
import type { Operation } from '../api/use-may.js';
import { plans } from '../licenses/license-texts.js';
import { team } from '../team/team-texts.js';
import { texts } from '../texts.js';

interface Entry {
  readonly to:
    | '/'
    | '/licenses'
    | '/clients'
    | '/plans'
    | '/events'
    | '/account'
    | '/account/team'
    | '/account/api-keys';
  readonly name: string;
  readonly icon: LucideIcon;
  /** What the page reads: others are not offered it. */
  readonly operation: Operation;
}

/** The pages of the sidebar: those of every day, and the settings. */
export const PAGES: readonly Entry[] = [
  { to: '/', name: texts.overview.title, icon: Gauge, operation: 'getSummary' },
  { to: '/licenses', name: texts.licenses.title, icon: Ticket, operation: 'listLicenses' },
  { to: '/clients', name: texts.clients.title, icon: Users, operation: 'listClients' },
  { to: '/plans', name: plans.title, icon: Layers, operation: 'listPlans' },
  { to: '/events', name: texts.events.title, icon: ScrollText, operation: 'listEvents' },
];

export const SETTINGS: readonly Entry[] = [
  { to: '/account/team', name: team.title, icon: UsersRound, operation: 'listMembers' },
  { to: '/account/api-keys', name: apiKeys.title, icon: KeyRound, operation: 'listApiKeys' },
  { to: '/account', name: texts.account.title, icon: CircleUser, operation: 'getMe' },
];
