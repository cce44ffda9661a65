import { titles } from '../app/navigation-texts.js';
import type { Language } from './programs/languages.js';

export const integrate = {
  title: titles.integrate,
  details: 'Ready to run with your keys. It activates once, then works offline.',
  language: 'Language',
  product: 'Product',
  productHint: 'Keys work only for this product.',
  noProduct: 'You have no product yet, so this uses an example.',
  toClients: 'Give a project a product',
  example: 'com.example.web-shop',
  choice: 'Your app',
  install: '1. Install the SDK',
  copyInstall: 'Copy setup',
  program: (file: string) => `2. Save as ${file}`,
  programDetails:
    'Start it with a license key in the environment variable LICENSE_KEY. Use a folder that only your app can read and write.',
  copyProgram: 'Copy code',
  try: 'Try it without an SDK',
  tryDetails:
    'Activates a license on a test machine and validates it. Then release the machine on the license page.',
  copyTry: 'Copy commands',
  documentation: 'API documentation',
  documentationDetails: 'For languages without an SDK, and for calls from your servers.',
};

export const languages: Record<Language, string> = {
  node: 'Node',
  python: 'Python',
  java: 'Java',
  csharp: 'C#',
  go: 'Go',
  rust: 'Rust',
  c: 'C',
  cpp: 'C++',
};
