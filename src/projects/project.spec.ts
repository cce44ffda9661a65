import { aClient } from '../../test/builders/client.builder.js';
import { aProject } from '../../test/builders/project.builder.js';
import { at } from '../../test/builders/time.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { NOT_STORED } from '../storage/collection.js';
import { changedProject, newProject } from './project.js';

describe('a project', () => {
  it('begins with one license', () => {
    const owner = newAccountId();
    const fields = { client: 'c'.repeat(24), name: 'Shop', product: 'web-shop' };
    expect(newProject(owner, fields, at(1))).toEqual({
      _id: expect.any(String) as string,
      version: NOT_STORED,
      ...fields,
      owner,
      licensesCount: 1,
      createdAt: at(1),
      updatedAt: at(1),
    });
  });

  it.each([
    [null, { name: 'Wiki' }, { name: 'Wiki' }],
    [null, { product: 'shop' }, { product: 'shop' }],
    ['shop', { name: 'Wiki' }, { name: 'Wiki' }],
    ['shop', { product: 'shop' }, {}],
    ['shop', { name: 'Wiki', product: 'shop' }, { name: 'Wiki' }],
  ])('of product %j is changed by %j', (product, changes, changed) => {
    const project = aProject(aClient(), { product, licensesCount: 3, version: 7 });
    expect(changedProject(project, changes, at(5))).toEqual({
      ...project,
      ...changed,
      updatedAt: at(5),
    });
  });

  it('keeps its product once it has one', () => {
    const project = aProject(aClient(), { product: 'shop' });
    expect(() => changedProject(project, { name: 'Wiki', product: 'Shop' }, at(5))).toThrow(
      expect.objectContaining({ code: 'PROJECT_HAS_PRODUCT' }) as Error,
    );
  });
});
