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
DELTA, MINDELTA, ERROR, SELECTIVE_STOPPING = 0.005, 0.005, 1, 0  # ERROR: 1 is l1, 2 is l2


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
        splits = [np.stack(part) for part in zip(*lists)]
        channels = len(recording.y)
        print(f"\n{channels} channels x {len(lists)} splits (each story left out once), {len(recording.x)} predictors, "
              f"lags {recording.first_lag / recording.rate:g} to {recording.stop_lag / recording.rate:g} s\n"
              f"x and y centred, mean absolute value 1; error l{ERROR}, delta {DELTA}, mindelta {MINDELTA}, "
              f"selective stopping {SELECTIVE_STOPPING}")
        progress = Progress(channels * len(lists))
        fits = []
        for channel in range(channels):  # one at a time, only to take the time of each
            begin = time.perf_counter()
            results = trfboost.boosting_runs(
                recording.y[channel:channel + 1], recording.x, recording.pads, *splits, *recording.lags,
                DELTA, MINDELTA, ERROR, SELECTIVE_STOPPING, threads, return_details=True,
                progress=lambda done, _, before=channel * len(lists): progress(before + done),
            )
            fits.append((*results, [time.perf_counter() - begin]))
        # [split, channel, ...]
        hs, failed, steps, stop, seconds = zip(*fits)
        self.hs, self.failed, self.steps, self.stop = (np.concatenate(part, axis=1) for part in (hs, failed, steps, stop))
        self.seconds = np.concatenate(seconds)  # [channel]
        self.correlation = np.array([
            [self.predict(recording, split, channel) for channel in range(channels)]
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
    """One line: written over on a terminal, growing elsewhere."""

    def __init__(self, total):
        self.begin, self.total, self.last = time.perf_counter(), total, None

    def __call__(self, done):
        if done == self.last:
            return
        self.last = done
        if sys.stdout.isatty():
            print(f"\r{done:>3} of {self.total} fits, {time.perf_counter() - self.begin:5.1f} s", end="", flush=True)
        else:
            print(f"{done} " if done else f"{self.total} fits: ", end="", flush=True)
        if done == self.total:
            print()


def print_table(recording, estimate):
    stories = len(recording.stories)
    width, counts = 8 * stories, 6 * stories
    print(f"\n{'channel':<9}{'r, story left out':<{width}}{'mean r':>8}  {'steps':>{counts}}  {'time':>7}  why it stopped")
    for channel, name in enumerate(recording.channels):
        correlations = estimate.correlation[:, channel]
        per_story = "".join(f"{r:<8.3f}" for r in correlations)
        steps = "".join(f"{n:6d}" for n in estimate.steps[:, channel])
        why = ", ".join(dict.fromkeys(STOPS[int(stop)] for stop in estimate.stop[:, channel]))
        print(f"{name:<9}{per_story}{np.nanmean(correlations):8.3f}  {steps}  {estimate.seconds[channel]:5.2f} s  {why}")
    fits, seconds = estimate.failed.size, estimate.seconds.sum()
    print(f"{fits} fits in {seconds:.1f} s, {seconds / fits:.2f} s each; {estimate.failed.sum()} failed")


def draw(recording, estimate, path):
    """Predictor by lag, one column per channel: spectrogram above, onsets below."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    usable = np.where(estimate.failed[..., None, None], np.nan, estimate.hs)
    trfs = np.nan_to_num(np.nanmean(usable, axis=0))  # [channel, predictor, lag]
    halves = {"Spectrogram": trfs[:, :recording.bands], "Onsets": trfs[:, recording.bands:]}
    times = 1000 * np.array([recording.first_lag - 0.5, recording.stop_lag - 0.5]) / recording.rate
    figure, axes = plt.subplots(2, len(trfs), figsize=(2.1 * len(trfs) + 1.4, 5), sharex=True, sharey=True,
                                layout="constrained", squeeze=False)
    for axis, name, r in zip(axes[0], recording.channels, np.nanmean(estimate.correlation, axis=0)):
        axis.set_title(f"{name}\nr = {r:.2f}", fontsize=10)
    for row, (half, values) in zip(axes, halves.items()):
        # One scale for all channels, on which the typical channel's peak is full colour; stronger ones saturate.
        limit = np.median(np.abs(values).max((1, 2))) or 1
        for axis, trf in zip(row, values):
            image = axis.imshow(trf, cmap="RdBu_r", vmin=-limit, vmax=limit, origin="lower", aspect="auto",
                                interpolation="nearest", extent=(*times, 0.5, recording.bands + 0.5))
            axis.axvline(0, color="0.4", linewidth=0.8, linestyle="--")
            axis.set_xticks([0, 200, 400])
            axis.set_xticks([-100, 100, 300], minor=True)
            axis.set_yticks(range(1, recording.bands + 1))
        row[0].set_ylabel(f"{half}\nBand (low to high)")
        figure.colorbar(image, ax=row, label="TRF (normalised units)", extend="both", aspect=14)
    figure.supxlabel("Lag of the response [ms]")
    figure.suptitle(f"Temporal response functions to speech: mean of {len(estimate.hs)} cross-validated fits, "
                    f"l{ERROR} boosting, \u03b4 = {DELTA}")
    figure.savefig(path, dpi=130)


if __name__ == "__main__":
    main()
