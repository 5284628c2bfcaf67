"""Measures a call from CPython into Java over py4j: what a call from code costs elsewhere.

Started by `bench.sh` beside it with the path of py4j's jar; prints one line with p50 and p95 in microseconds.
"""

import subprocess
import sys
import time

from py4j.java_gateway import GatewayParameters, JavaGateway

WARM_UP = 2_000
CALLS = 5_000


def main() -> None:
    jar, classes = sys.argv[1:3]
    java = subprocess.Popen(
        ["java", "-cp", f"{jar}:{classes}", "Echo"], stdout=subprocess.PIPE, text=True
    )
    try:
        port = int(java.stdout.readline())
        gateway = JavaGateway(gateway_parameters=GatewayParameters(port=port))
        echo = gateway.entry_point.echo
        for number in range(WARM_UP):
            echo(number)
        times = []
        for number in range(CALLS):
            began = time.perf_counter_ns()
            echo(number)
            times.append(time.perf_counter_ns() - began)
        times.sort()
        p50, p95 = times[CALLS // 2] / 1000, times[CALLS * 95 // 100] / 1000
        print(f"py4j call round trip, {CALLS} calls          {p50:8.1f} us {p95:8.1f} us")
    finally:
        java.kill()


main()
