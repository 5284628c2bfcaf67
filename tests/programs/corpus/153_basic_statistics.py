# Give descriptive statistics for these delivery times.
import statistics as st
from collections import Counter

times = [31, 28, 45, 33, 28, 52, 39, 30, 28, 61, 35, 33]

print("n       ", len(times))
print("mean    ", round(st.mean(times), 3))
print("median  ", st.median(times), st.median_low(times), st.median_high(times))
print("mode    ", st.mode(times), st.multimode(times + [33]))
print("stdev   ", round(st.stdev(times), 4), "pstdev", round(st.pstdev(times), 4))
print("variance", round(st.variance(times), 4))
print("quartiles", st.quantiles(times, n=4))
print("deciles  ", [round(q, 2) for q in st.quantiles(times, n=10, method="inclusive")])
print("fmean", st.fmean([1, 2, 3.5]), "gmean", round(st.geometric_mean([1, 10, 100]), 6), "hmean", st.harmonic_mean([40, 60]))

q1, _, q3 = st.quantiles(times, n=4)
fence = q3 + 1.5 * (q3 - q1)
print(f"outliers above {fence}: {[t for t in times if t > fence]}")
z = [(t - st.mean(times)) / st.stdev(times) for t in times]
print("z:", [f"{v:+.2f}" for v in z[:4]])
on_time = Counter("late" if t > 40 else "ok" for t in times)
print(dict(on_time), f"{on_time['ok'] / len(times):.1%}")
for empty in (st.mean, st.median, st.stdev):
    try:
        empty([])
    except st.StatisticsError as e:
        print(f"{empty.__name__}: {type(e).__name__}")
print(st.mean([1, 2]), st.mean([1, 3]), st.median([3, 1]), type(st.mean([1, 3])).__name__)
