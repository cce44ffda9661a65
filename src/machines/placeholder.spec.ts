import { isPlaceholder } from './placeholder.js';

it.each([
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '{ffffffff-ffff-ffff-ffff-ffffffffffff}',
  'xxxxxxxxxxxxxxxx',
  '----------------',
  'undefined-undefined',
  'null|null|null|null',
  'undefined:null:0000',
  'To be filled by O.E.M.',
  'To Be Filled By O.E.M./Default string',
  'System Serial Number',
  'Base Board Serial Number',
  '[object Object]_[object Object]',
  '0123456789ABCDEF',
  '03000200-0400-0500-0006-000700080009',
  'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855',
])('%j does not identify a machine', (text) => {
  expect(isPlaceholder(text)).toBe(true);
});

it.each([
  'b7c1f6a0-5a0d-4b8e-9f55-0d9f6f6a2f11',
  '00000000-0000-0000-0000-0cc47a4f2b1e',
  'machine-undefined-7',
  'unknown-computer-of-ada',
  '0123456789abcdef01',
  'ada-laptop-0000000000000000',
  `${'0f'.repeat(100)}!1`,
  `${'undefined'.repeat(25)}x`,
])('%j may identify a machine', (text) => {
  expect(isPlaceholder(text)).toBe(false);
});
