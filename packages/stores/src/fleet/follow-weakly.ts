import { tell } from '@teamfuse/core/kit';
import type { CircuitStore, Following, StoredChange } from './circuit-store.ts';

const followings: FinalizationRegistry<Following> = new FinalizationRegistry((following) =>
  tell(() => following.end(), undefined),
);

/** Follows a store for as long as somebody has the follower, which `take` must not keep. Once more, the first following is over. */
export function followWeakly<T extends object>(
  store: CircuitStore,
  follower: T,
  take: (follower: T, changes: readonly StoredChange[]) => void,
): Following {
  followings.unregister(follower);
  const own = new WeakRef(follower);
  const following = store.follow((changes) => {
    const one = own.deref();
    if (one !== undefined) take(one, changes);
  });
  followings.register(follower, following, follower);
  return following;
}
