"""The lock of SQLite's one writer."""

from threading import Thread
from time import sleep

from app.store.fair_lock import FairLock


def test_the_longest_waiting_thread_gets_the_lock() -> None:
    lock, order = FairLock(), list[int]()

    def take(number: int) -> None:
        assert lock.acquire(timeout=60)
        order.append(number)
        lock.release()

    assert lock.acquire(timeout=0)
    threads = [Thread(target=take, args=(number,)) for number in range(8)]
    for waiting, thread in enumerate(threads, start=1):
        thread.start()
        while len(lock._waiting) < waiting:
            sleep(0.001)
    lock.release()
    for thread in threads:
        thread.join()
    assert order == list(range(8))
    assert lock.acquire(timeout=0), "the last holder has released it"


def test_a_waiter_that_has_timed_out_is_passed_over() -> None:
    lock = FairLock()
    assert lock.acquire(timeout=0)
    assert not lock.acquire(timeout=0.01)
    lock.release()
    assert lock.acquire(timeout=0)
