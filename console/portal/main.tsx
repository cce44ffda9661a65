// Must come before the component styles.
import '../src/styles/global.js';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';

const [, issuer = ''] = location.pathname.split('/');
const token = location.hash.slice(1);
// Removes the token from the browser history.
history.replaceState(null, '', `/${issuer}`);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App issuer={issuer} token={token} />
  </StrictMode>,
);
