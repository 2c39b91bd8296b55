import { feedHostileValues } from './feed-hostile-values.ts';

feedHostileValues(1);
