import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const PAGE = '<!doctype html><title>Console</title>';
export const SCRIPT = 'document.title = "License Management";';
export const ASSETS = { 'index-Dk3xY0aB.js': SCRIPT, 'index-B7qLw2cD.css': 'body { margin: 0 }' };

/** Writes a console as the build leaves it into a new folder, which the calling block removes, and returns its path. */
export function useBuiltConsole(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'license-console-'));
  fs.mkdirSync(path.join(folder, 'assets'));
  fs.writeFileSync(path.join(folder, 'index.html'), PAGE);
  fs.writeFileSync(path.join(folder, '.inputs'), 'hash of the inputs');
  for (const [name, text] of Object.entries(ASSETS)) {
    fs.writeFileSync(path.join(folder, 'assets', name), text);
  }
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}
