/** The sounds of a table of wood and paper, synthesised with the Web Audio API: knocks, bars of a marimba, rustling. */

const audio = new AudioContext();
const output = new GainNode(audio);
output.connect(new DynamicsCompressorNode(audio)).connect(audio.destination);

// Safari starts audio only during an event that ends a press or tap, but cues come later, or while a word is drawn.
for (const input of ["pointerup", "touchend", "click", "keydown"]) {
  document.addEventListener(input, () => audio.state === "running" || audio.resume(), { capture: true });
}

/** One second of noise, for wood and paper. */
const noise = new AudioBuffer({ length: audio.sampleRate, sampleRate: audio.sampleRate });
noise.getChannelData(0).forEach((_, at, samples) => (samples[at] = Math.random() * 2 - 1));

/** Pentatonic steps in semitones, so that paths of any length sound good. */
const SCALE = [0, 2, 4, 7, 9];
const BASE = 294;

/** @param {number} step of the scale, upwards from D4 */
const pitch = (step) => BASE * 2 ** (Math.floor(step / SCALE.length) + SCALE[step % SCALE.length] / 12);

/**
 * A gain that falls from `loudness` to silence.
 *
 * @param {number} at seconds from now
 * @param {number} loudness
 * @param {number} seconds
 */
function falling(at, loudness, seconds) {
  const gain = new GainNode(audio, { gain: 0 });
  const start = audio.currentTime + at;
  gain.gain.setValueAtTime(loudness, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  gain.connect(output);
  return gain;
}

/**
 * @param {number} at
 * @param {number} frequency
 * @param {number} loudness
 * @param {number} seconds
 * @param {OscillatorType} [type]
 */
function tone(at, frequency, loudness, seconds, type = "sine") {
  const source = new OscillatorNode(audio, { type, frequency });
  source.connect(falling(at, loudness, seconds));
  source.start(audio.currentTime + at);
  source.stop(audio.currentTime + at + seconds);
}

/**
 * @param {number} at
 * @param {number} frequency at the centre of the noise
 * @param {number} loudness
 * @param {number} seconds
 */
function rustle(at, frequency, loudness, seconds) {
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  source.connect(new BiquadFilterNode(audio, { type: "bandpass", frequency, Q: 1.2 })).connect(falling(at, loudness, seconds));
  source.start(audio.currentTime + at, Math.random() / 2, seconds);
}

/** Wood on wood. @param {number} at @param {number} frequency */
function knock(at, frequency) {
  tone(at, frequency, 0.5, 0.09, "triangle");
  rustle(at, 1900, 0.5, 0.025);
}

/** A bar of a marimba. @param {number} at @param {number} frequency @param {number} [loudness] */
function bar(at, frequency, loudness = 0.45) {
  tone(at, frequency, loudness, 0.5);
  tone(at, frequency * 4, loudness / 4, 0.12);
}

/** @type {Record<import("./cues.js").Cue, (size: number) => void>} */
const SOUNDS = {
  pick: () => knock(0, 420),
  path: (letters) => knock(0, pitch(letters)),
  accepted(points) {
    const bars = Math.min(6, 2 + Math.floor(points / 8));
    for (let step = 0; step < bars; step++) bar(step * 0.07, pitch(step + 2));
  },
  refused() {
    tone(0, 120, 0.6, 0.16, "triangle");
    rustle(0.02, 700, 0.5, 0.14);
  },
  gem() {
    for (const [step, frequency] of [1568, 2093, 2637].entries()) tone(step * 0.06, frequency, 0.16, 0.5);
  },
  turn() {
    bar(0, pitch(3), 0.35);
    bar(0.13, pitch(5), 0.35);
  },
  tick: () => knock(0, 880),
  won() {
    for (const [beat, step] of [0, 2, 3, 5, 7, 10].entries()) bar(beat * 0.1, pitch(step));
  },
  lost() {
    for (const [beat, step] of [5, 3, 1].entries()) bar(beat * 0.17, pitch(step) / 2);
  },
  drawn() {
    bar(0, pitch(3));
    bar(0.16, pitch(3));
  },
};

/**
 * @param {import("./cues.js").Cue} name
 * @param {number} size
 * @param {number} loudness 0 to 1
 */
export function play(name, size, loudness) {
  audio.resume();
  output.gain.value = loudness;
  SOUNDS[name](size);
}
