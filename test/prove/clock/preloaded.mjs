// Preloaded into a service to replace its clock: see service-clock.ts.
const [origin, start, speed] = ['CLOCK_ORIGIN', 'CLOCK_START', 'CLOCK_SPEED'].map((name) =>
  Number(process.env[name]),
);
/** Milliseconds of the monotonic clock, shared by all processes of a machine. */
const monotonic = () => Number(process.hrtime.bigint()) / 1e6;

Date.now = () => Math.floor(start + (monotonic() - origin) * speed);
globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length > 0 ? values : [target.now()], newTarget),
});
