import '../src/styles/global.js';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { accountQuery } from '../src/api/use-may.js';
import { Notice } from '../src/shared/notices.js';
import { Buttons } from './buttons.js';
import { Fields } from './fields.js';
import { Layout } from './layout.js';
import { States } from './states.js';
import { Tables } from './tables.js';

/** The parts are shown to an owner, so no role hides one. The account is given here, so no request reads it. */
const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
client.setQueryData(accountQuery.queryKey, {
  _id: '0'.repeat(24),
  account: '0'.repeat(24),
  name: 'Ada Lovelace',
  email: 'ada@studio.example',
  role: 'owner',
  createdAt: '2026-01-31T10:15:00.000Z',
  updatedAt: '2026-01-31T10:15:00.000Z',
});

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <main>
        <h1>Parts of the console</h1>
        <Notice />
        <Buttons />
        <Fields />
        <Layout />
        <States />
        <Tables />
      </main>
    </QueryClientProvider>
  </StrictMode>,
);
