/**
 * A clock that is never set back, and goes on while the machine sleeps. One of the machine's two clocks stands still in its sleep,
 * the other one may be set; whichever has moved further since the last look is believed.
 */
export function steadyClock(): () => number {
  let [at, ticks, time] = [0, performance.now(), Date.now()];
  return () => {
    const [newTicks, newTime] = [performance.now(), Date.now()];
    at += Math.max(0, newTicks - ticks, newTime - time);
    [ticks, time] = [newTicks, newTime];
    return at;
  };
}
