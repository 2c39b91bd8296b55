import type { Scenes } from '../scene.ts';

/** What harms a process: the list that all others must not be like. */
export const PLANTED: Scenes = {
  'a promise that floats': {
    told: 'nobody',
    isOwnWay: true,
    play: (_, tell) => {
      Promise.reject(new Error('a floating fault'));
      setTimeout(() => {
        throw new Error('a fault in a timer');
      });
      tell('nobody');
      return new Promise((resolve) => setTimeout(resolve, 1));
    },
  },
  'a failure that nobody hears of': { told: 'store', play: () => {} },
};
