import { parseCertificate } from '../src/certificate.js';

it('S15: a text longer than any certificate is rejected before it is decoded', () => {
  const decode = jest.spyOn(Buffer, 'from');
  const text = '.'.repeat(1_000_000);
  expect(parseCertificate(text, { issuer: '', keys: new Map() })).toBe('format');
  expect(decode).not.toHaveBeenCalled();
  decode.mockRestore();
});
