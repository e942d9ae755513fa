"""TRFs from a recording of speech, by calls that cross the language boundary as descriptors.

    python speech.py DATA.npz PICTURE.png

First the boundary: `generate_options` on views that a bare pointer could not describe, against
contiguous copies. Then the estimate: six channels, 8 bands of a spectrogram and their 8 onset bands,
lags from -0.1 to 0.5 s, cross-validated by story.
"""
import argparse
import sys
import time

import numpy as np
import trfboost
from trfboost import View

STOPS = {1: "no predictor left", 2: "validation error rises", 3: "no improvement", 4: "moves in circles"}
DELTA, ERROR = 0.005, 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", help="the recording (.npz)")
    parser.add_argument("picture", help="where the picture goes (.png)")
    parser.add_argument("--threads", type=int, default=0, help="number of threads (default: all processors)")
    arguments = parser.parse_args()

    recording = Recording(arguments.data)
    show_that_views_arrive(recording)
    estimate = Estimate(recording, arguments.threads)
    print_table(recording, estimate)
    draw(recording, estimate, arguments.picture)
    print(f"\nTRFs: {arguments.picture}")


class Recording:
    """Predictors and responses at one rate; stories are segments."""

    def __init__(self, path):
        data = np.load(path)
        self.rate = float(data["sfreq"])
        self.stories = data["trials"]
        self.channels = [str(name) for name in data["channel"]]
        spectrogram = data["spectrogram"].astype("f8")
        onsets = np.maximum(np.diff(spectrogram, axis=1, prepend=spectrogram[:, :1]), 0)
        onsets[:, self.stories[:, 0]] = 0
        self.bands = len(spectrogram)
        self.x = scaled(np.concatenate([spectrogram, onsets]))
        self.y = scaled(data["response"].astype("f8"))
        self.pads = np.zeros(len(self.x))
        self.first_lag, self.stop_lag = round(-0.1 * self.rate), round(0.5 * self.rate)

    @property
    def lags(self):
        n = len(self.x)
        return np.full(n, self.first_lag), np.full(n, self.stop_lag)


def scaled(rows):
    """Centred, with mean absolute value 1: the scale on which l1 boosting takes its steps."""
    rows = rows - rows.mean(1, keepdims=True)
    return rows / np.abs(rows).mean(1, keepdims=True)


def show_that_views_arrive(recording):
    """The same call with contiguous arrays, and with a transposed and a reversed view of others."""
    story = recording.stories[:1]
    n, columns = len(recording.x), recording.stop_lag - recording.first_lag
    in_time_order = np.ascontiguousarray(recording.x.T)  # [time, predictor], as a recorder writes it
    backwards = recording.y[0, ::-1].copy()  # stored from the end

    def options(y_error, x):
        new_error, new_sign = np.zeros((n, columns)), np.zeros((n, columns), "i1")
        arrays = [y_error, x, recording.pads, np.ones(n, "i1"), story]
        trfboost.lib.trfb_generate_options(
            *map(View.of, arrays), recording.first_lag, *map(View.of, recording.lags), ERROR, DELTA,
            View.of(new_error, writable=True), View.of(new_sign, writable=True), None,
        )
        return new_error, new_sign

    expected = options(recording.y[0].copy(), recording.x.copy())
    found = options(backwards[::-1], in_time_order.T)
    print("generate_options, through ctypes, as descriptors")
    print(f"  x transposed: strides {in_time_order.T.strides}; y_error reversed: strides {backwards[::-1].strides}")
    for name, ours, theirs in zip(("new_error", "new_sign"), found, expected):
        same = ours.tobytes() == theirs.tobytes()
        print(f"  {name:<9} {ours.shape}: {'the bits of' if same else 'DIFFERS from'} the call with contiguous copies")
        if not same:
            sys.exit("a view did not arrive as what it is")


class Estimate:
    """For each story left out: a filter per channel, trained on one other story and validated on the
    next, and how well it predicts the story left out."""

    def __init__(self, recording, threads):
        stories = recording.stories
        order = [np.roll(np.arange(len(stories)), -left_out) for left_out in range(len(stories))]
        lists = [(stories[i[2:]], stories[i[1:2]], stories[np.sort(i[1:])]) for i in order]
        train, validate, both = (np.stack(part) for part in zip(*lists))
        begin = time.perf_counter()
        print(f"\n{len(recording.channels)} channels x {len(lists)} splits, {len(recording.x)} predictors, "
              f"lags {recording.first_lag / recording.rate:g} to {recording.stop_lag / recording.rate:g} s, "
              f"error l{ERROR}, delta {DELTA}")
        self.hs, self.failed, self.steps, self.stop = trfboost.boosting_runs(
            recording.y, recording.x, recording.pads, train, validate, both, *recording.lags,
            DELTA, DELTA, ERROR, 0, threads, return_details=True, progress=Progress(),
        )
        self.seconds = time.perf_counter() - begin
        self.correlation = np.array([
            [self.predict(recording, split, channel) for channel in range(len(recording.y))]
            for split in range(len(lists))
        ])

    def predict(self, recording, split, channel):
        """The correlation of prediction and response on the story left out."""
        story = recording.stories[split:split + 1]
        prediction = np.zeros(recording.y.shape[1])
        trfboost.convolve(self.hs[split, channel], recording.x, recording.pads, recording.first_lag, story, prediction)
        span = slice(*story[0])
        if self.failed[split, channel]:
            return np.nan
        return np.corrcoef(prediction[span], recording.y[channel, span])[0, 1]


class Progress:
    """One line that is written over."""

    def __init__(self):
        self.begin, self.last = time.perf_counter(), None

    def __call__(self, done, total):
        if not sys.stdout.isatty() and done == self.last:
            return
        self.last = done
        end = "\r" if sys.stdout.isatty() and done < total else "\n"
        print(f"  {done:>3} of {total} fits, {time.perf_counter() - self.begin:5.1f} s", end=end, flush=True)


def print_table(recording, estimate):
    print(f"\n{'channel':<8} {'correlation on the story left out':<36} {'steps':<18} why it stopped")
    for channel, name in enumerate(recording.channels):
        per_story = "  ".join(f"{r:6.3f}" for r in estimate.correlation[:, channel])
        mean = np.nanmean(estimate.correlation[:, channel])
        steps = " ".join(f"{n:5d}" for n in estimate.steps[:, channel])
        why = ", ".join(dict.fromkeys(STOPS[int(stop)] for stop in estimate.stop[:, channel]))
        print(f"{name:<8} {per_story}   mean {mean:6.3f}  {steps:<18} {why}")
    fits = estimate.failed.size
    print(f"{fits} fits in {estimate.seconds:.1f} s, {estimate.seconds / fits:.2f} s each; {estimate.failed.sum()} failed")


def draw(recording, estimate, path):
    """Predictor by lag, one column per channel: spectrogram above, onsets below."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    usable = np.where(estimate.failed[..., None, None], np.nan, estimate.hs)
    trfs = np.nan_to_num(np.nanmean(usable, axis=0))  # [channel, predictor, lag]
    halves = {"spectrogram": trfs[:, :recording.bands], "onsets": trfs[:, recording.bands:]}
    times = 1000 * np.array([recording.first_lag - 0.5, recording.stop_lag - 0.5]) / recording.rate
    figure, axes = plt.subplots(2, len(trfs), figsize=(2.2 * len(trfs) + 1.4, 4.6), sharex=True, sharey=True,
                                layout="constrained", squeeze=False)
    for axis, name, r in zip(axes[0], recording.channels, np.nanmean(estimate.correlation, axis=0)):
        axis.set_title(f"{name}, r = {r:.2f}", fontsize=10)
    for row, (half, values) in zip(axes, halves.items()):
        limit = np.abs(values).max() or 1
        for axis, trf in zip(row, values):
            image = axis.imshow(trf, cmap="RdBu_r", vmin=-limit, vmax=limit, origin="lower", aspect="auto",
                                interpolation="nearest", extent=(*times, 0.5, recording.bands + 0.5))
            axis.axvline(0, color="0.5", linewidth=0.8)
            axis.set_xticks([0, 200, 400])
        row[0].set_ylabel(f"{half}\nband (low to high)")
        figure.colorbar(image, ax=row, label="TRF (normalised)", shrink=0.9)
    figure.supxlabel("Lag [ms]")
    figure.suptitle("Temporal response functions to speech, mean over splits")
    figure.savefig(path, dpi=130)


if __name__ == "__main__":
    main()
