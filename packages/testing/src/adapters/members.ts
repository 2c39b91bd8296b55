import {
  type AssistantScript,
  type CoderScript,
  type CodeScript,
  fenced,
  type MemberScript,
  type ModelScript,
  type NestedScript,
  type PersonScript,
  type SpeakerScript,
  type TeamScript,
} from './script.ts';

/** A team of these members, which all take their turns once unless `turns` says otherwise. */
export function team(members: readonly MemberScript[], turns: number = members.length): TeamScript {
  return { name: 'crew', members, turns };
}

/** A member with one line for each turn. */
export function speaker(name: string, ...lines: readonly string[]): SpeakerScript {
  return { kind: 'speaker', name, lines };
}

/** A member with one list of model calls for each turn. */
export function assistant(
  name: string,
  ...turns: readonly (readonly ModelScript[])[]
): AssistantScript {
  return { kind: 'assistant', name, turns };
}

/** A member who asks a person. */
export function person(name: string, ...answers: readonly string[]): PersonScript {
  return { kind: 'person', name, answers };
}

/** A member who says code, and one who runs it. */
export function coding(...runs: readonly CodeScript[]): readonly [SpeakerScript, CoderScript] {
  return [speaker('author', ...runs.map(fenced)), { kind: 'coder', name: 'runner', runs }];
}

/** A member who lets a team of its own work. */
export function nested(...members: readonly MemberScript[]): NestedScript {
  return { kind: 'team', name: 'inner', members, turns: members.length };
}

/** A turn with one tool call between two model calls. */
export function lookAndSay(says: string): readonly ModelScript[] {
  return [{ calls: [{ tool: 'look', args: { at: 'sky' }, result: 'blue' }] }, { says }];
}
