import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Builds the customer portal, which is served at / of the host in PORTAL_URL. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react()],
  build: {
    outDir: '../../dist/portal-app',
    emptyOutDir: true,
    // The content security policy allows no inline script, style or font.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
