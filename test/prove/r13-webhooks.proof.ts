import { SECRETS } from '../engines.js';
import { NO_LIMITS } from '../no-limits.js';
import { killableService } from './killed/killable-service.js';
import { prove, times } from './prove.js';
import { CLOCK_AHEAD, noneLost } from './webhooks/none-lost.js';

const KILLS = times({ short: 2, long: 50 });

const ENV = {
  ...{ ...SECRETS, ...NO_LIMITS, LOG_LEVEL: 'silent' },
  WEBHOOK_NETWORKS: '127.0.0.1',
};

prove('R13', ['SQLite'], async () => {
  const victim = await killableService(ENV);
  try {
    const kills = Array.from(
      { length: KILLS },
      (_, index) => () => victim.kill(index === KILLS - 1 ? CLOCK_AHEAD : {}),
    );
    return await noneLost(victim, kills);
  } finally {
    await victim.leave();
  }
});
