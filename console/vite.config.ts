import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The service next to which `npm run dev` serves the console with hot reload. */
const SERVICE = `http://127.0.0.1:${process.env.PORT ?? 3000}`;

/** The routes of the service that the console uses. */
const ROUTES =
  '^/(auth|account|members|mails|mail-templates|api-keys|clients|projects|plans|licenses|events|signing-keys|keys|webhooks|portal|search|docs|dashboard|console/session)(/|\\?|$)';

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // The service completes the addresses in the page, because it may be served below a path.
  base: command === 'build' ? './' : '/console/',
  plugins: [react()],
  build: {
    outDir: '../dist/console-app',
    emptyOutDir: true,
    // The content security policy allows no inline script, style or font.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Few files, which arrive sooner and compress better than many: one of the first page for visitors, another one for members, and
    // one of what the other pages have in common.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'] },
            { name: 'member', test: /(layout|overview-page)\.tsx$/ },
            { name: 'shared', test: /console[\\/]src[\\/]/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  // The service compares the Origin of a request with its Host.
  server: { proxy: { [ROUTES]: { target: SERVICE, changeOrigin: false } } },
}));
