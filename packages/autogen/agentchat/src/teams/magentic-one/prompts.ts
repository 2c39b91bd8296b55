/** Asks for the facts that are known before any research. */
export function factsPrompt(task: string): string {
  return `A team you lead has been given the task below. Before planning, take stock from your own knowledge alone.

Task:
${task}

Write four short lists under these headings, leaving a list empty where there is nothing to say:
GIVEN: facts stated in the task itself.
TO LOOK UP: facts that have to be found, and where.
TO DERIVE: facts that follow by calculation or reasoning.
EDUCATED GUESSES: what you recall or presume without being sure.
Give no plan yet.`;
}

/** Asks for a plan that fits the team. */
export function planPrompt(team: string): string {
  return `These are the members of your team:

${team}

Using the lists above, write a short plan as bullet points. Not everybody has to take part.`;
}

/** The first message to the team: task, facts and plan. */
export function taskLedger(parts: {
  readonly task: string;
  readonly team: string;
  readonly facts: string;
  readonly plan: string;
}): string {
  return `We are to do this task:

${parts.task}

The team that works on it:

${parts.team}

What is known so far:

${parts.facts}

The plan to follow as far as it serves:

${parts.plan}`;
}

/** Asks for the progress report as JSON. */
export function progressPrompt(task: string, team: string, names: readonly string[]): string {
  return `The task once more:

${task}

The team:

${team}

Judge the conversation so far and answer with one JSON object and nothing else. It has these five fields, each an
object with the fields "reason" (a sentence) and "answer":
"is_request_satisfied": answer true or false; true only when the task is done completely.
"is_in_loop": answer true or false; whether the same requests or replies keep coming back, over one turn or many.
"is_progress_being_made": answer true or false; false when recent messages add nothing or an obstacle remains.
"next_speaker": answer one of ${names.join(', ')}.
"instruction_or_question": answer what you say to that member, with everything needed to act on it.`;
}

/** Asks for corrected facts, after the work has stalled. */
export function factsUpdatePrompt(task: string, facts: string): string {
  return `The work has come to a standstill. Rewrite the lists of facts with what has been learned since: move what was
confirmed, correct what was wrong, and add at least one new or better founded guess with its reason.

Task:
${task}

The lists as they were:

${facts}`;
}

/** Asks for another plan, after the work has stalled. */
export function planUpdatePrompt(team: string): string {
  return `Say in a few words why the last attempt failed. Then write a new plan as bullet points that avoids those
mistakes. The team is:

${team}`;
}

/** Asks for the answer to the user; `{task}` is filled in. */
export const DEFAULT_FINAL_ANSWER_PROMPT = `The work on this task is over:

{task}

The conversation above shows what was done. Write the answer for the person who gave the task.`;
