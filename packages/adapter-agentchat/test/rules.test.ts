import { NO_DETECTORS } from '@teamfuse/core/detectors';
import { expect } from 'vitest';
import { DISGUISED } from './support/disguises.ts';
import { calling, coding, speakers, THINK_MS, type TimedTeam } from './support/loops.ts';
import {
  REPETITION,
  type RuleCase,
  repetition,
  SPEAKER_CYCLE,
  SUSPECTED_CYCLE,
  seeEach,
} from './support/rules.ts';

const FIXES = ['sysctl -w net.core.rmem_max=4194304', 'ethtool -G eth0 rx 4096'];

/** A coder who goes back and forth between two fixes. */
function fixing(lossOf: (code: string, run: number) => number): TimedTeam {
  const says = [
    [0, 'Packets are dropped because the buffer of the socket is small. Larger, then.'],
    [1, 'That was not all of it. The ring of the card may be the narrow place.'],
    [1, 'No difference to be seen. Perhaps it was not taken over.'],
    [0, 'So it must be the socket after all.'],
    [1, 'Hm. I still suspect the card of this.'],
    [0, 'Back to what we began with, it has to work.'],
    [1, 'And the other one again.'],
    [0, 'Let me see.'],
  ] as const;
  return coding(
    says.map(([fix, text]) => `${text}\n\`\`\`sh\n${FIXES[fix]}\n\`\`\``),
    (code, run) => {
      const loss = lossOf(code, run);
      return { exitCode: loss > 400 ? 1 : 0, output: `lost: ${loss} of 9000 packets` };
    },
  );
}

const NOISE = [
  ...['Werbung', 'Wetter', 'Anmeldung', 'Hinweise', 'Aktuelles'],
  ...['Spiele', 'Kekse', 'Leserbriefe'],
];

/** A surfer who is asked for one page in other words, and shows what stands there now. */
function surfing(rowsOf: (at: number) => string): TimedTeam {
  const asks = [
    'Bitte den Fahrplan der Bergbahn für die Talstation öffnen.',
    'Den Fahrplan der Talstation, bitte.',
    'Öffne für die Talstation, was die Bergbahn als Fahrplan hat.',
    'Noch einmal die Bergbahn, mit der Talstation.',
    'Zum Fahrplan, bitte, Talstation.',
    'Was hat die Talstation der Bergbahn als Fahrplan?',
    'Bitte noch einmal zum Fahrplan der Bergbahn.',
    'Die Talstation, bitte, den Fahrplan.',
  ];
  return speakers({
    planer: asks,
    surfer: asks.map(
      (_, at) =>
        `Fahrplan der Bergbahn, https://bergbahn.example/fahrplan?ort=tal, in einem Fenster von 1280 mal 900 Punkten: Abfahrten an der Talstation, geordnet nach der Zeit, gültig an allen Tagen ohne Wind und Gewitter. Auf der Seite steht: ${rowsOf(at)}. Eine Fahrt dauert 11 Minuten, in jeder Gondel ist Platz für 8 Leute und 4 Räder; Hunde fahren mit, Karten gibt es am Schalter bis 17 Uhr und danach am Automaten neben der Treppe zum Bahnhof. Wer oben bleiben will, findet dort ein Gasthaus mit Betten und einen Laden. ${rowsOf(at)}`,
    ),
  });
}

const KITS = [
  ...['forms', 'dates', 'images', 'slides', 'modals', 'toasts', 'routes', 'charts'],
  ...['tables', 'menus', 'badges', 'sheets'],
];

/** A coder whose build lacks something each time. */
function building(missing: (at: number) => string): TimedTeam {
  return coding(
    KITS.map((_, at) => `Attempt ${at + 1}:\n\`\`\`sh\nmake build LEVEL=${at * at + 3}\n\`\`\``),
    (_, run) => ({ exitCode: 2, output: `LinkError: ${missing(run)}` }),
  );
}

/** A clerk who asks a service that turns every call away. */
function askingAgain(thinkMs: number): TimedTeam {
  const calls = Array.from({ length: 12 }, () => ['quote', { symbol: 'HBR' }] as const);
  const quote = (): never => {
    throw new Error('429 Too Many Requests');
  };
  return calling(calls, () => ({ quote }), thinkMs);
}

seeEach([
  {
    rule: 'LAP1',
    what: 'a coder who goes back and forth between two pieces of code',
    only: REPETITION,
    shown: repetition(
      /^the last six runs of code were the same two over and over with the same results$/,
    ),
    loop: fixing((code) => (code.includes('sysctl') ? 412 : 388)),
    twin: fixing((_, run) => [412, 388, 301, 290, 164, 97, 31, 0][run] ?? 0),
  },
  {
    rule: 'SPK1',
    what: 'a page that only has other noise in it each time',
    only: SPEAKER_CYCLE,
    shown: SUSPECTED_CYCLE,
    loop: surfing((at) => NOISE[at] ?? ''),
    twin: surfing((at) =>
      [31, 47, 59]
        .map(
          (no) =>
            `Bahn ${1042 + no * (at + 3)}, Wagen W${no * at + 5}, ${77 + no * at * at} Plätze`,
        )
        .join('; '),
    ),
  },
  ...DISGUISED.map(
    ({ rule, name, declared, shown, loop, twin }): RuleCase => ({
      rule,
      what: `calls of which only the ${name} is another`,
      only: { ...REPETITION, ...declared },
      declared,
      shown: repetition(shown),
      loop,
      twin,
    }),
  ),
  {
    rule: 'STO2',
    what: 'errors that are like one before',
    only: { ...NO_DETECTORS, executionStorm: {} },
    shown: { kind: 'execution-storm', evidence: { subject: 'LinkError', count: 11, limit: 10 } },
    loop: building((at) => (at % 2 ? 'forms lack dates' : 'dates lack forms')),
    twin: building((at) => `${KITS[at]} lack ${KITS[(at + 1) % KITS.length]}-core`),
  },
  {
    rule: 'RAT5',
    what: 'calls that are turned away, without a wait in between',
    only: { ...NO_DETECTORS, rate: {} },
    shown: { reason: expect.stringContaining('without waiting'), evidence: { count: 5 } },
    loop: askingAgain(THINK_MS),
    twin: askingAgain(5 * THINK_MS),
  },
]);
