import { LABEL_PATTERN, PRODUCT_PATTERN } from './dto/product.decorators.js';
import { isOfProduct } from './license.js';

const PROJECT = '665f1c2ab7e4a90012345678';

const LABELS = ['a', 'com.example.Web-Shop', 'a--__..b', 'x'.repeat(64), `${PROJECT}0`];
// Looks like a project id, which shipped software may send.
const IDS = [PROJECT, PROJECT.toUpperCase()];
const NEITHER = [
  ...['', '.shop', '-shop', 'shop.', 'web shop', 'shop\n', 'web/shop', 'x'.repeat(65)],
  // KELVIN SIGN and LONG S, which equal "k" and "s" when case is ignored.
  ...['\u212aiosk', '\u017fhop'],
];

it.each([
  ...LABELS.map((text) => [text, true, true] as const),
  ...IDS.map((text) => [text, false, true] as const),
  ...NEITHER.map((text) => [text, false, false] as const),
])('%j may be the label of a product: %s, and what software names: %s', (text, label, name) => {
  expect(LABEL_PATTERN.test(text)).toBe(label);
  expect(PRODUCT_PATTERN.test(text)).toBe(name);
});

it("a license is for its project's label, and for its project's id with or without a label, byte for byte", () => {
  const labelled = { product: 'com.example.Web-Shop', project: PROJECT };
  const unlabelled = { product: null, project: PROJECT };
  expect(isOfProduct(labelled, 'com.example.Web-Shop')).toBe(true);
  for (const license of [labelled, unlabelled]) {
    expect(isOfProduct(license, PROJECT)).toBe(true);
    for (const other of ['com.example.web-shop', PROJECT.toUpperCase(), '']) {
      expect(isOfProduct(license, other)).toBe(false);
    }
  }
});
