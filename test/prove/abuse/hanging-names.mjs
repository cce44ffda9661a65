// Loaded into the service so that no name server responds.
import { Resolver } from 'node:dns/promises';

const untilCancelled = new WeakMap();
Resolver.prototype.cancel = function () {
  untilCancelled.get(this)?.forEach((reject) => reject(new Error('cancelled')));
};
Resolver.prototype.resolve4 = Resolver.prototype.resolve6 = function () {
  return new Promise((_resolve, reject) => {
    untilCancelled.set(this, [...(untilCancelled.get(this) ?? []), reject]);
  });
};
