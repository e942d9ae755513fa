"""Fits by workers of dask and joblib are those of this process, also when a worker dies meanwhile."""

import os
import signal

import distributed
import numpy as np
import pytest

import trfboost
from trfboost.trf import remote

FIT = dict(sfreq=100, tstart=0, tstop=0.1, partitions=3)


def recording(n_y=12, samples=3000):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(3, samples))
    y = rng.normal(size=(n_y, samples))
    y[:, 4:] += x[0, :-4]
    return y, x


@pytest.fixture(scope="module")
def client():
    options = dict(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client


def assert_same(a, b):
    assert a.h.tobytes() == b.h.tobytes() and np.array_equal(a.steps, b.steps) and np.array_equal(a.stop, b.stop)
    assert np.array_equal(a.failed, b.failed) and np.array_equal(a.r, b.r)


def test_a_cluster_gives_the_same_bits_for_one_subject_after_the_other(client):
    seen = []
    for subject in range(2):
        y, x = recording(5 + subject)
        expected = trfboost.boosting(y, x, **FIT)
        progress = lambda done, total: seen.append((done, total))  # noqa: E731
        assert_same(trfboost.boosting(y, x, **FIT, client=client, progress=progress), expected)
    assert seen[0] == (0, 15) and (15, 15) in seen and seen[-1] == (18, 18)


def test_a_worker_that_dies_is_replaced(client):
    y, x = recording()
    expected = trfboost.boosting(y, x, **FIT)
    killed = []

    def kill_one(done, total):
        if done > 0 and not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    engine = remote.dask(client, rows=1)
    assert_same(trfboost.boosting(y, x, **FIT, engine=engine, progress=kill_one), expected)
    assert killed


def test_all_workers_may_die_with_the_data(client):
    client.wait_for_workers(2, timeout=60)
    y, x = recording()
    expected = trfboost.boosting(y, x, **FIT)
    killed = []

    def kill_all(done, total):
        if done > 0 and not killed:
            killed.extend(client.run(os.getpid).values())
            for process in killed:
                os.kill(process, signal.SIGKILL)

    engine = remote.dask(client, rows=1)
    assert_same(trfboost.boosting(y, x, **FIT, engine=engine, progress=kill_all), expected)
    assert len(killed) == 2


def test_the_cluster_is_freed_when_progress_says_stop(client):
    y, x = recording()
    with pytest.raises(trfboost.Cancelled, match="^progress: asked to stop"):
        trfboost.boosting(y, x, **FIT, engine=remote.dask(client, rows=1), progress=lambda done, total: done > 0)
    assert client.submit(sum, [1, 2]).result(timeout=30) == 3


def test_an_error_of_a_fit_comes_back(client):
    y, x = recording(2)
    with pytest.raises(trfboost.AbiValueError) as here:
        trfboost.boosting(y * 1e200, x, **FIT, scale_data=False)
    with pytest.raises(trfboost.AbiValueError) as there:
        trfboost.boosting(y * 1e200, x, **FIT, scale_data=False, client=client)
    assert there.value.status == here.value.status and str(there.value) == str(here.value)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_joblib_gives_the_same_bits(backend):
    y, x = recording(5)
    engine = remote.joblib(2, backend)
    assert_same(trfboost.boosting(y, x, **FIT, engine=engine), trfboost.boosting(y, x, **FIT))


def test_what_is_no_client_is_refused():
    y, x = recording(2)
    with pytest.raises(trfboost.AbiTypeError, match="^client: is str, expected a dask.distributed.Client"):
        trfboost.boosting(y, x, **FIT, client="127.0.0.1:8786")
    with pytest.raises(trfboost.AbiValueError, match="^client: and engine both"):
        trfboost.boosting(y, x, **FIT, client=object(), engine=remote.joblib())
    with pytest.raises(trfboost.AbiValueError, match="^rows: is 0"):
        remote.joblib(rows=0)
