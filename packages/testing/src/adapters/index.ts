export { adapterContract } from './adapter-contract.ts';
export type {
  AdapterHarness,
  Capability,
  ContractTeam,
  RunEnd,
} from './harness.ts';
export type { AdapterRule } from './rule.ts';
export {
  type AssistantScript,
  type CoderScript,
  type CodeScript,
  type Hang,
  type MemberScript,
  MODEL,
  type ModelScript,
  type NestedScript,
  type PersonScript,
  type SpeakerScript,
  type TeamScript,
  type ToolScript,
  toolsOf,
} from './script.ts';
export type { CodeReply, ModelReply, Stage } from './stage.ts';
