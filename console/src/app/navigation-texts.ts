/** Names of pages in the sidebar, which every page loads: the other texts of theirs come with the pages. */
export const titles = {
  plans: 'Plans',
  integrate: 'Integrate',
  settings: 'Settings',
  team: 'Team',
  apiKeys: 'API keys',
  webhooks: 'Webhooks',
  signingKeys: 'Signing keys',
};
