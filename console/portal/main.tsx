// Before the styles of the components.
import '../src/styles/global.js';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';

const [, issuer = ''] = location.pathname.split('/');
const token = location.hash.slice(1);
// Erases the token from the history, so nobody finds it there.
history.replaceState(null, '', `/${issuer}`);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App issuer={issuer} token={token} />
  </StrictMode>,
);
