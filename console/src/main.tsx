// Must come before the component styles.
import './styles/global.js';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.js';
import { factorSetup } from './api/client.js';
import { dropConfirmation } from './api/step-up.js';
import { unsettledKeys } from './api/unsettled-keys.js';
import { router } from './app/router.js';
import { forgetRecentRecords } from './search/recent.js';
import { session } from './session/session.js';
import { forgetDrafts } from './shared/drafts.js';
import { notify } from './shared/notices.js';
import { showTheme } from './shared/theme.js';
import { WaitingReads } from './shared/waiting.js';

session.onChange = () => {
  // Leaves the page, or reloads its data for another account. Drops everything that the previous session has read.
  dropConfirmation();
  if (!isSecureContext) unsettledKeys.clear();
  queryClient.getMutationCache().clear();
  forgetRecentRecords();
  void router.invalidate().then(() => queryClient.resetQueries());
};

session.onLogOut = () => {
  unsettledKeys.clear();
  forgetDrafts();
};

// The user can't do anything else until then.
factorSetup.onRequired = () => void router.navigate({ to: '/account/security', replace: true });

router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
  if (!pathChanged) return;
  notify(null);
  dropConfirmation();
});

showTheme();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <WaitingReads />
    </QueryClientProvider>
  </StrictMode>,
);
