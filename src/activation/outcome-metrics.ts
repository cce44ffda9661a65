import { Injectable } from '@nestjs/common';
import { type Counter, countersOf, Metrics } from '../metrics/metrics.js';
import { ACTIVATION_OUTCOMES, VALIDATION_STATUSES } from './decisions.js';

@Injectable()
export class OutcomeMetrics {
  readonly activations: Readonly<Record<(typeof ACTIVATION_OUTCOMES)[number], Counter>>;
  readonly validations: Readonly<Record<(typeof VALIDATION_STATUSES)[number], Counter>>;

  constructor(metrics: Metrics) {
    this.activations = countersOf(
      metrics.counter('activations_total', 'Activations by outcome', 'outcome'),
      ACTIVATION_OUTCOMES,
    );
    this.validations = countersOf(
      metrics.counter('validations_total', 'Validations by outcome', 'outcome'),
      VALIDATION_STATUSES,
    );
  }
}
