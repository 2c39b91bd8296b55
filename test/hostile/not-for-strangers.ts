/** Paths that are programs: they act as soon as they are imported. */
export const PROGRAMS: readonly string[] = ['recorder ./preload'];

/** What takes no values from outside, by the names it is for, and why. */
export const EXEMPT: readonly (readonly [names: RegExp, reason: string])[] = [
  [/ [A-Z]\w*Error$/, 'errors are made by our packages'],
  [
    /^(?:agentchat|groupchat|python-compat|models) /,
    'it raises what AutoGen raises, as recorded cases compare',
  ],
  [
    /^core (?:Analyzer|LimitDetector|\w+Detector)\.(?:observe|askOf|foresee|held|full|begin|start|overtime|remainingMs|wait)$/,
    'folds take what the breaker has checked',
  ],
  [/^core (?:Analyzer|\w+Detector)\.restore$/, 'Breaker.restore hands it on, which is fed'],
  [/^core (?:MemoryBudgetStore|ContextWindow)\./, 'the breaker checks what it asks and is told'],
  [/^(?:core|stores) \w+Store\./, 'the breaker checks what it asks and is told'],
  [
    /^stores (?:withLock(?:Sync)?|openPrivate)$/,
    'called by our packages, with files that they have checked',
  ],
  [
    /^core (?:andThen|orRejection|askForStep|atOnce|ExpiryTimer(?:\.set)?|inBackground|internalsOf|isAsyncFunction|isPromise|isRealPromise|noticeText|orInvalid|readOptions|runStep|signalError|onAbort|tell|untilAborted)$/,
    'called by adapters, by its types',
  ],
  [/^core ModelCall\b/, 'called by adapters, by its types'],
  [/^core BoundedMap\./, 'called by packages of this workspace, by its types'],
  [
    /^core (?:cleanText|expectedOption|formatUsd|hashText|integer|inWords|isCountedHere|show|textOf|within|withoutLaps|withoutQuotes)$/,
    'called by packages of this workspace, by its types',
  ],
  [/^core falseAlarmAdvice$/, 'called by reports, by its types'],
  [/^core transition$/, 'the pure circuit: only the breaker has its states and events'],
  [
    /^testing (?:\w+Contract|FakeClock(?:\.advance)?|generateSignals|timeline|toolsOf|transcript)$/,
    'written by hand in tests',
  ],
  [/^cli formatContract$/, 'written by hand in tests'],
  [
    /^tokens BytePairCounter(?:\.count|\.countMessages)?$/,
    'made by its `load`, and the same as EstimatingCounter',
  ],
  [/^adapter-kit (?:ConversationPool|GuardContext)\./, 'called by adapters, by its types'],
  [/^adapter-kit (?:KeyedRuns|OutermostRun|TapSet)\b/, 'called by adapters, by its types'],
  [
    /^adapter-kit (?:agentGuard|begin(?:Agent|Model|Nested|Run)?|unaskedModel|comesFrom|guardExecute|run(?:Agent|Work)|tripOfRun|eitherRun|whyClaimed)$/,
    'called by adapters, by its types',
  ],
  [
    /^adapter-kit (?:executionSignal|installGuard|otherVersion|joinBlocks|originOf|overlay|rehearse|hasMethods|listOf|readOr|replaceMember|showWarning|stopOf)$/,
    'called by adapters, by its types',
  ],
  [
    /^adapter-kit (?:askPerson|call|codeRun|modelCall|nestedRun|runTeam|stream|streamTeam|toolCall|turn)$/,
    'called by adapters, by its types',
  ],
  [
    /^adapter-kit (?:guarded(?:Model|Tools)|modelIn|nudged|begunStream|openStream|promptOf|streamOf|textOfPart|tripBehind|(?:streamed|whole)Step)$/,
    'called by adapters, by its types',
  ],
  [
    /^adapter-(?:ai-sdk|kit|langchain) runFor$/,
    'what its work throws is for its caller; KIT117 feeds the rest',
  ],
  [/^adapter-agentchat DetectorTermination$/, 'abstract: its subclasses are fed'],
  [/^adapter-agentchat (?:BreakerTermination|GuardedAgent)\./, 'called by the team, by its types'],
  [
    /^adapter-kit (?:answeredIn|asLastAnswer|askedFor|isAnswerDue|lastAnswerIn|modelOf|outputLimit|placeOfLastAnswer|withOutputLimit|readUsage|signalError|textOutcome|tokenUsage)$/,
    'called by adapters, by its types',
  ],
  [
    /^adapter-[\w-]+ (?:membersOf|modelOf(?:Agents|Graph|Runner|Team)|nameOf)$/,
    'called with what has been recognised as an agent or a team',
  ],
  [/^wire (?:exitCodeOf|readRun|shownCode)$/, 'called by readers of recordings, by its types'],
  [/^core (?:hashWords|mixHash)$/, 'called for each word, by its types'],
  [/^core whenDropped$/, 'called by taps, by its types'],
  [/^cli (?:recognise|turnSignals|valueFormat|observe)$/, 'called by formats, by its types'],
  [/^cli SpendCounter\b/, 'called by packages of this workspace, by its types'],
  [
    /^code-executors (?:Docker|Local)CommandLineCodeExecutor(?:\.runAll)?$/,
    'called by the shims; each option is refused by type, but not an object that cannot be read',
  ],
];

/** Arguments by which only our packages set up what they make. */
export const INTERNAL_ARGUMENTS: RegExp = /^core (?:Breaker|\w+Detector) #[12]$/;
