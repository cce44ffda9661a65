import { aClient } from '../../test/builders/client.builder.js';
import { aLicense } from '../../test/builders/license.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { isOfProduct, LABEL_PATTERN, PRODUCT_PATTERN, withProductOf } from './product.js';

const PROJECT = '665f1c2ab7e4a90012345678';

const LABELS = [
  'a',
  'Z',
  '0',
  'ab',
  'com.example.web-shop',
  'Web_Shop-2.0',
  'a--__..b',
  'x'.repeat(64),
  PROJECT.slice(1),
  `${PROJECT}0`,
  `${PROJECT.slice(1)}g`,
];

const NO_PRODUCTS = [
  '',
  ' ',
  '.shop',
  'shop.',
  '-shop',
  'shop-',
  '_shop',
  'shop_',
  '.',
  ' shop',
  'shop ',
  'web shop',
  'shop\n',
  '\nshop',
  'sh\u0000op',
  'web/shop',
  'web:shop',
  'größe',
  // KELVIN SIGN and LONG S: equal to "k" and "s" without regard to case.
  '\u212aiosk',
  '\u017fhop',
  '🚀',
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

  it.each([PROJECT, PROJECT.toUpperCase(), '0'.repeat(24), 'aBcDeF'.repeat(4)])(
    'is not %j, which looks like an id, but shipped software may name it',
    (id) => {
      expect(LABEL_PATTERN.test(id)).toBe(false);
      expect(PRODUCT_PATTERN.test(id)).toBe(true);
    },
  );
});

describe('a license', () => {
  const labelled = { product: 'com.example.Web-Shop', project: PROJECT };
  const unlabelled = { product: null, project: PROJECT };

  it("is of its project's label, and of its project's id with or without a label", () => {
    expect(isOfProduct(labelled, 'com.example.Web-Shop')).toBe(true);
    expect(isOfProduct(labelled, PROJECT)).toBe(true);
    expect(isOfProduct(unlabelled, PROJECT)).toBe(true);
  });

  it.each([
    'com.example.web-shop',
    'com.example.Web-Shop ',
    'com.example.Web-Sho',
    'com.example.Web-Shop2',
    'comXexample.Web-Shop',
    PROJECT.toUpperCase(),
    PROJECT.slice(1),
    '775f1c2ab7e4a90012345678',
    'null',
    '',
  ])('is not of %j: products are compared byte for byte', (product) => {
    expect(isOfProduct(labelled, product)).toBe(false);
    expect(isOfProduct(unlabelled, product)).toBe(false);
  });
});

describe('withProductOf', () => {
  const license = aLicense(aProject(aClient()), { product: 'shop' });

  it.each(['wiki', null])('gives a license the product of its project: %p', (product) => {
    expect(withProductOf(license, { product })).toStrictEqual({ ...license, product });
  });

  it('copies nothing where it has that product', () => {
    expect(withProductOf(license, { product: 'shop' })).toBe(license);
  });
});
