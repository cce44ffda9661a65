import {
  CircleUser,
  CodeXml,
  FileKey,
  Gauge,
  KeyRound,
  Layers,
  type LucideIcon,
  Mail,
  ScrollText,
  ShieldCheck,
  Store,
  Ticket,
  Trash2,
  Users,
  UsersRound,
  Webhook,
} from 'lucide-react';
import type { Operation } from '../api/use-may.js';
import { texts } from '../texts.js';
import { titles } from './navigation-texts.js';

interface Entry {
  readonly to:
    | '/'
    | '/licenses'
    | '/clients'
    | '/plans'
    | '/events'
    | '/integrate'
    | '/account'
    | '/account/team'
    | '/account/api-keys'
    | '/account/webhooks'
    | '/account/mail'
    | '/account/portal'
    | '/account/signing-keys'
    | '/account/deleted'
    | '/account/security';
  readonly name: string;
  readonly icon: LucideIcon;
  /** The operation behind the page. Users who may not call it don't see the link. */
  readonly operation: Operation;
}

/** The pages in the sidebar: everyday pages and settings. */
export const PAGES: readonly Entry[] = [
  { to: '/', name: texts.overview.title, icon: Gauge, operation: 'getSummary' },
  { to: '/licenses', name: texts.licenses.title, icon: Ticket, operation: 'listLicenses' },
  { to: '/clients', name: texts.clients.title, icon: Users, operation: 'listClients' },
  { to: '/plans', name: titles.plans, icon: Layers, operation: 'listPlans' },
  { to: '/events', name: texts.events.title, icon: ScrollText, operation: 'listEvents' },
  { to: '/integrate', name: titles.integrate, icon: CodeXml, operation: 'getSigningKeys' },
];

export const SETTINGS: readonly Entry[] = [
  { to: '/account', name: texts.account.title, icon: CircleUser, operation: 'getMe' },
  { to: '/account/security', name: titles.security, icon: ShieldCheck, operation: 'listFactors' },
  { to: '/account/team', name: titles.team, icon: UsersRound, operation: 'listMembers' },
  { to: '/account/api-keys', name: titles.apiKeys, icon: KeyRound, operation: 'listApiKeys' },
  { to: '/account/webhooks', name: titles.webhooks, icon: Webhook, operation: 'listWebhooks' },
  { to: '/account/mail', name: titles.mail, icon: Mail, operation: 'listMailTemplates' },
  { to: '/account/portal', name: titles.portal, icon: Store, operation: 'getPortal' },
  {
    to: '/account/signing-keys',
    name: titles.signingKeys,
    icon: FileKey,
    operation: 'getSigningKeys',
  },
  { to: '/account/deleted', name: titles.deleted, icon: Trash2, operation: 'listBin' },
];
