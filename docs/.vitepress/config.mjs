import path from 'node:path';
import { defineConfig } from 'vitepress';
import { API_PAGES } from '../api/[tag].paths.mjs';

/** Where the files outside of docs/ can be read; a release of the project sets its own. */
const REPOSITORY = process.env.REPOSITORY ?? 'https://licenses.example/license-management-service';
const DOCS = path.resolve(import.meta.dirname, '..');

const page = (text, link) => ({ text, link });
const section = (text, ...items) => ({ text, items });

export default defineConfig({
  title: 'License Management Service',
  description:
    'Issues license keys, activates them on machines, and tells shipped software whether it may run.',
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: true,
  markdown: {
    config(markdown) {
      markdown.core.ruler.push('repository', linkToRepository);
      markdown.core.ruler.push('braces', keepBraces);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      page('Start', '/start/concepts'),
      page('Guides', '/guides/activation'),
      page('SDKs', '/sdk/'),
      page('API', API_PAGES[0].link),
      page('Operate', '/operate/install'),
      page('Contribute', '/contribute/architecture'),
    ],
    sidebar: [
      section(
        'Start',
        page('Concepts', '/start/concepts'),
        page('Sell your first license', '/start/first-license'),
        page('Which fields do I need?', '/start/business-models'),
      ),
      section(
        'Guides',
        page('Activation', '/guides/activation'),
        page('Floating licenses and seats', '/guides/floating-licenses'),
        page('Customer portal', '/guides/portal'),
        page('Trials and plans', '/guides/trials-and-plans'),
        page('Subscriptions', '/guides/subscriptions'),
        page('Offline activation', '/guides/offline-activation'),
        page('Mail to customers', '/guides/customer-mail'),
        page('Webhooks', '/guides/webhooks'),
        page('Events', '/guides/events'),
        page('Moving from another product', '/guides/moving'),
        page('Members and API keys', '/guides/access'),
        page('Passkeys and second factors', '/guides/sign-in'),
        page('Data protection', '/guides/data-protection'),
        page('Deleted records', '/guides/deleted-records'),
        page('Signing keys', '/guides/signing-keys'),
        page('Certificates', '/guides/certificates'),
        page('Certificates on servers', '/guides/certificates-on-servers'),
        page('Troubleshooting', '/guides/troubleshooting'),
        page('Error codes', '/guides/error-codes'),
      ),
      section(
        'SDKs',
        page('Use an SDK', '/sdk/'),
        page('Options and strings', '/sdk/options'),
        page('State and fingerprint', '/sdk/state'),
        page('Requests and replies', '/sdk/replies'),
        page('Scenarios', '/sdk/scenarios'),
        page('Releases', '/sdk/releasing'),
      ),
      { text: 'API', items: API_PAGES, collapsed: true },
      section(
        'Operate',
        page('Install and run', '/operate/install'),
        page('Back up and restore', '/operate/backups'),
        page('Move an account', '/operate/moving-an-account'),
        page('Update', '/operate/update'),
        page('MongoDB', '/operate/mongodb'),
        page('Mail', '/operate/mail'),
        page('Limits', '/operate/limits'),
        page('Monitoring', '/operate/monitoring'),
        page('Runbook', '/operate/runbook'),
        page('Accounts and secrets', '/operate/secrets'),
        page('Security', '/operate/security'),
        page('Sizing', '/operate/sizing'),
      ),
      section(
        'Contribute',
        page('Architecture', '/contribute/architecture'),
        page('Tests', '/contribute/tests'),
        page('Storage', '/contribute/storage'),
        page('Reliability', '/contribute/reliability'),
        page('Security controls', '/contribute/security-controls'),
        page('Performance', '/contribute/performance'),
        page('Writing an SDK', '/contribute/writing-an-sdk'),
        page('Releasing the service', '/contribute/releasing'),
        page('Releasing the SDKs', '/sdk/releasing'),
        page('Decisions', '/decisions/README'),
      ),
    ],
  },
});

/** Links that leave docs/ lead to the repository. */
function linkToRepository({ tokens, env }) {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const target = token.type === 'link_open' ? token.attrGet('href') : null;
    if (!target?.startsWith('.')) continue;
    const file = path.resolve(path.dirname(env.path), target);
    const inside = path.relative(DOCS, file);
    if (!inside.startsWith('..')) continue;
    token.attrSet('href', `${REPOSITORY}/blob/main/${path.relative(path.dirname(DOCS), file)}`);
  }
}

/** Keeps Vue from evaluating `{{placeholders}}` in inline code. */
function keepBraces({ tokens }) {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === 'code_inline') token.attrSet('v-pre', '');
  }
}
