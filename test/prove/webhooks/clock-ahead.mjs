// Preloaded into a service, it sets its clock ahead by CLOCK_AHEAD milliseconds.
const AHEAD = Number(process.env.CLOCK_AHEAD);
const now = Date.now;

Date.now = () => now() + AHEAD;
globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length > 0 ? values : [target.now()], newTarget),
});
