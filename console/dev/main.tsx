import '../src/styles/global.js';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { OwnRole } from '../src/api/use-may.js';
import { Notice } from '../src/shared/notices.js';
import { Buttons } from './buttons.js';
import { Fields } from './fields.js';
import { Layout } from './layout.js';
import { States } from './states.js';
import { Tables } from './tables.js';

/** No part sends requests. */
const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });

// The parts are shown to an owner, so no role hides one.
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <OwnRole value="owner">
        <main>
          <h1>Parts of the console</h1>
          <Notice />
          <Buttons />
          <Fields />
          <Layout />
          <States />
          <Tables />
        </main>
      </OwnRole>
    </QueryClientProvider>
  </StrictMode>,
);
