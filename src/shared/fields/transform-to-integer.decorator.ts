import { TransformText } from './transform-text.decorator.js';

/** Reads the integer of a query parameter. Number would also read 1e1, 0x10 and an empty text. */
export const TransformToInteger = () =>
  TransformText((text) => (/^\d+$/.test(text) ? Number(text) : text));
