import { titles } from '../app/navigation-texts.js';
import type { Language } from './programs/languages.js';
import type { Block } from './programs/program.js';

export const integrate = {
  title: titles.integrate,
  details: 'Ready to run with your keys. It activates once, then works offline.',
  language: 'Language',
  product: 'Product',
  productHint: 'Keys work only for this product.',
  noProduct: 'You have no product yet, so this uses an example.',
  toClients: 'Give a project a product',
  example: 'com.example.web-shop',
  install: '1. Install the SDK',
  folders: "Set CHECKOUT to that repository's folder and APP to your app's folder.",
  places: {
    service: 'In the service repository',
    app: 'In your app',
    'pom.xml': 'In pom.xml',
    'Cargo.toml': 'In Cargo.toml',
    'CMakeLists.txt': 'In CMakeLists.txt',
  } satisfies Record<Block['place'], string>,
  copyPlace: (place: string) => `Copy ${place.replace('In ', 'lines for ')}`,
  program: (file: string) => `2. Save as ${file}`,
  programDetails:
    'Start it with a license key in the environment variable LICENSE_KEY. Use a folder that only your app can read and write.',
  copyProgram: 'Copy code',
  try: 'Try it without an SDK',
  tryDetails:
    'Activates a license on a test machine and validates it. Then release the machine on the license page.',
  copyTry: 'Copy commands',
  license: 'License',
  licenseHint: 'Its key goes into the commands.',
  noLicense: 'I have a key',
  waiting: 'Waiting for the first activation…',
  activated: (machine: string | null) =>
    machine ? `${machine} has activated` : 'A machine has activated',
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
