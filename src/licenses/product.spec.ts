import { aClient } from '../../test/builders/client.builder.js';
import { aLicense } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { isOfProduct, LABEL_PATTERN, PRODUCT_PATTERN, withProductOf } from './product.js';

const PROJECT = '665f1c2ab7e4a90012345678';

const LABELS = ['a', 'com.example.Web-Shop', 'a--__..b', 'x'.repeat(64), `${PROJECT}0`];

const NO_PRODUCTS = [
  '',
  '.shop',
  '-shop',
  'shop.',
  'web shop',
  'shop\n',
  'web/shop',
  // KELVIN SIGN and LONG S: equal to "k" and "s" without regard to case.
  '\u212aiosk',
  '\u017fhop',
  'x'.repeat(65),
];

describe("a product's label", () => {
  it.each(LABELS)('may be %j', (label) => {
    expect(LABEL_PATTERN.test(label)).toBe(true);
    expect(PRODUCT_PATTERN.test(label)).toBe(true);
  });

  it.each(NO_PRODUCTS)('is not %j', (text) => {
    expect(LABEL_PATTERN.test(text)).toBe(false);
    expect(PRODUCT_PATTERN.test(text)).toBe(false);
  });

  it.each([PROJECT, PROJECT.toUpperCase()])(
    'is not %j, which looks like an id, but shipped software may name it',
    (id) => {
      expect(LABEL_PATTERN.test(id)).toBe(false);
      expect(PRODUCT_PATTERN.test(id)).toBe(true);
    },
  );
});

it("a license is of its project's label, and of its project's id with or without one, byte for byte", () => {
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

it('a license gets the product of its project, and is not copied where it has that', () => {
  const license = aLicense(aProject(aClient()), { product: 'shop' });
  expect(withProductOf(license, { product: null })).toStrictEqual({ ...license, product: null });
  expect(withProductOf(license, { product: 'shop' })).toBe(license);
});
