// Serves the API, restarting it when its files change, and the console, which reloads itself in the browser.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createServer } from 'vite';

const NEST = path.join('node_modules', '@nestjs', 'cli', 'bin', 'nest.js');

// The console's server finds the API by its PORT.
if (fs.existsSync('.env')) process.loadEnvFile('.env');

// No shell, so that signals reach the service; no clearing, so that the console's address stays on screen.
const OPTIONS = ['--watch', '--no-shell', '--preserveWatchOutput'];
const api = spawn(process.execPath, [NEST, 'start', ...OPTIONS], { stdio: 'inherit' });
api.on('exit', (code) => process.exit(code ?? 1));
process.on('exit', () => api.kill('SIGTERM'));
// This process ends with the service.
process.on('SIGTERM', () => api.kill('SIGTERM'));
// The terminal sends it to both.
process.on('SIGINT', () => undefined);

const server = await createServer({ root: 'console', clearScreen: false });
await server.listen();
server.printUrls();
