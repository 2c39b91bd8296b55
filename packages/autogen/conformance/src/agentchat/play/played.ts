import type { JsonObject } from '@teamfuse/agentchat';

/** What a case gave here, under the names under which the vectors keep what it should give. */
export type Played = JsonObject;
