/** Page names in the sidebar, which every page loads. Other texts load with their page. */
export const titles = {
  plans: 'Plans',
  integrate: 'Integrate',
  settings: 'Settings',
  team: 'Team',
  apiKeys: 'API keys',
  webhooks: 'Webhooks',
  mail: 'Mail',
  portal: 'Portal',
  security: 'Security',
  signingKeys: 'Signing keys',
  deleted: 'Deleted',
};
