import { applyDecorators } from '@nestjs/common';
import { IsBoolean } from 'class-validator';
import { TransformText } from './text.decorators.js';

/** A query parameter that is `true` or `false`. */
export const IsFlag = () =>
  applyDecorators(
    TransformText((text) => (text === 'true' ? true : text === 'false' ? false : text)),
    IsBoolean(),
  );
