import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The service that `npm run dev` runs the console against, with hot reload. */
const SERVICE = `http://127.0.0.1:${process.env.PORT ?? 3000}`;

/** The routes of the service that the console uses. */
const ROUTES =
  '^/(auth|account|members|mails|mail-templates|api-keys|clients|projects|plans|licenses|events|signing-keys|keys|webhooks|portal|search|docs|dashboard|console/session)(/|\\?|$)';

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // The service fills in the paths in the page, because it may run under a path prefix.
  base: command === 'build' ? './' : '/console/',
  plugins: [react()],
  build: {
    outDir: '../dist/console-app',
    emptyOutDir: true,
    // The content security policy allows no inline script, style or font.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // A few large files load faster and compress better than many small ones: one for a visitor's first
    // page, one for a member's, and one for what the other pages share.
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
  // The service compares the `Origin` of a request with its `Host`.
  server: { proxy: { [ROUTES]: { target: SERVICE, changeOrigin: false } } },
}));
