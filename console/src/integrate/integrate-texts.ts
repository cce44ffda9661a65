import { titles } from '../app/navigation-texts.js';
import type { Language } from './programs/languages.js';

export const integrate = {
  title: titles.integrate,
  details:
    'A licensed program with the signing keys of your account. Its first start activates the license; later ones need no network.',
  language: 'Language',
  product: 'Product',
  productHint: 'Certificates name it, so a key of one product opens nothing in another.',
  noProduct: 'None of your projects has a product yet: the program names an example.',
  toClients: 'Give a project a product',
  example: 'com.example.web-shop',
  choice: 'What you ship',
  install: '1. Install the SDK',
  copyInstall: 'Copy lines',
  program: (file: string) => `2. Save as ${file}`,
  programDetails:
    'Start it with a license key in the environment variable LICENSE_KEY. The folder is yours to choose: the program must be able to write to it, and other users must not be able to read it.',
  copyProgram: 'Copy program',
  try: 'Try it without an SDK',
  tryDetails:
    'Activates a license for a machine of this name, and validates it. Release the machine on the page of the license afterwards.',
  copyTry: 'Copy commands',
  documentation: 'Documentation of the API',
  documentationDetails: 'For a language without an SDK, and for what your own servers call.',
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
