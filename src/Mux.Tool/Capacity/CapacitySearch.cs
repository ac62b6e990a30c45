namespace Mux.Tool.Capacity;

/// <summary>
/// Finds the highest rate that meets the objectives. Doubles the rate until one fails, halves the interval down to the precision, and confirms with long runs
/// that the rate passes and 10 % more fails. Ends as soon as the generator is saturated: that tells nothing about the server.
/// </summary>
/// <param name="objectives">Objectives to meet.</param>
/// <param name="precision">Maximum distance, as a share, between the highest passing and the lowest failing rate.</param>
/// <param name="step">Duration of a run; runs whose percentiles need more replies are longer.</param>
/// <param name="measure">Makes a run at a rate for a time.</param>
/// <param name="report">Called for every rate that was tried.</param>
/// <param name="maxLag">Lag (p99) that the generator may have; null for a share of the tightest limit.</param>
internal sealed class CapacitySearch(
    Objectives objectives,
    double precision,
    TimeSpan step,
    Func<double, TimeSpan, Task<StepMeasurement>> measure,
    Action<CapacityStep> report,
    TimeSpan? maxLag = null)
{
    /// <summary>Highest rate to try.</summary>
    public const double MaxRate = 10_000_000;

    /// <summary>Maximum duration of a run for the sake of its percentiles: rates that need longer runs are not tried.</summary>
    public static readonly TimeSpan LongestRun = TimeSpan.FromMinutes(2);

    // As shares of the closed loop's rate: few objectives are met near the first, and calls no longer wait below the last.
    private const double RampStart = 1.0 / 8;
    private const double RampEnd = 1.0 / 1000;

    private const int RampDown = 4; // a first guess that fails does not tell how far down the capacity is
    private const double Above = 1.1;
    private const int ConfirmationLength = 3;
    private const int MostCorrections = 4;
    private const double SpareSamples = 1.05;

    private readonly List<CapacityStep> _steps = [];

    /// <summary>Lowest rate to try.</summary>
    public double MinRate => Math.Max(1, SpareSamples * objectives.SamplesNeeded / LongestRun.TotalSeconds);

    /// <param name="guess">Rate of a closed loop, in calls per second.</param>
    public async Task<CapacityAnswer> RunAsync(double guess)
    {
        var (low, high) = await RampAsync(Math.Clamp(guess * RampStart, MinRate, MaxRate), Math.Max(MinRate, guess * RampEnd)).ConfigureAwait(false);
        while (low is not null && high is { IsGeneratorLimit: false } && high.Rate / low.Rate > 1 + precision)
        {
            var middle = await TryAsync((low.Rate + high.Rate) / 2, "bisection").ConfigureAwait(false);
            if (middle.Finding.Verdict == StepVerdict.Held) low = middle;
            else high = middle;
        }

        if (low is not null) return high is { IsGeneratorLimit: true } ? AtLeast(low.Rate, high) : await ConfirmAsync(low, high).ConfigureAwait(false);
        var lowest = _steps[^1];
        return lowest.Finding.Verdict == StepVerdict.Saturated ? AtLeast(0, lowest) : new CapacityAnswer(0, IsAtLeast: false, IsConfirmed: false, "", _steps);
    }

    /// <returns>The highest passing rate and the lowest failing rate above it; null if there is none.</returns>
    private async Task<(CapacityStep? Low, CapacityStep? High)> RampAsync(double start, double end)
    {
        CapacityStep? low = null, high = null;
        for (double rate = start; rate >= end && rate <= MaxRate; rate = high is null ? rate * 2 : rate / RampDown)
        {
            var tried = await TryAsync(rate, "ramp").ConfigureAwait(false);
            if (tried.Finding.Verdict == StepVerdict.Held) low = tried;
            else high = tried;
            if (low is not null && high is not null) break;
        }

        return (low, high);
    }

    private async Task<CapacityAnswer> ConfirmAsync(CapacityStep low, CapacityStep? high)
    {
        double rate = low.Rate;
        for (int corrections = 0; corrections <= MostCorrections; corrections++)
        {
            var confirmation = await TryAsync(rate, "confirmation", ConfirmationLength).ConfigureAwait(false);
            if (confirmation.IsGeneratorLimit) return AtLeast(rate, confirmation);
            if (confirmation.Finding.Verdict != StepVerdict.Held)
            {
                high = confirmation;
                rate /= 1 + precision;
                if (rate < MinRate) break;
                continue;
            }

            if (rate * Above > MaxRate) return new CapacityAnswer(rate, IsAtLeast: true, IsConfirmed: true, "higher rates are not tried", _steps);
            var above = await TryAsync(rate * Above, "above", ConfirmationLength).ConfigureAwait(false);
            if (above.Finding.Verdict != StepVerdict.Held)
            {
                // The nearest failing rate decides whether the answer is valid.
                var limit = high is null || high.Rate > above.Rate || above.Finding.Verdict == StepVerdict.Saturated ? above : high;
                return limit.Finding.Verdict == StepVerdict.Saturated ? AtLeast(rate, limit) with { IsConfirmed = true }
                    : new CapacityAnswer(rate, IsAtLeast: false, IsConfirmed: true, "", _steps);
            }

            (rate, high) = (above.Rate, null);
        }

        bool isHeld = _steps[^1].Finding.Verdict == StepVerdict.Held;
        return new CapacityAnswer(rate, IsAtLeast: isHeld, IsConfirmed: isHeld, isHeld ? "10 % more held every time it was tried" : "", _steps);
    }

    private CapacityAnswer AtLeast(double rate, CapacityStep undecided) =>
        new(rate, IsAtLeast: true, IsConfirmed: false, undecided.Finding.Reason, _steps) { IsLimitedByGenerator = undecided.IsGeneratorLimit };

    /// <summary>Two runs that agree decide; if no two of three agree, the result is unknown.</summary>
    private async Task<CapacityStep> TryAsync(double rate, string purpose, int length = 1)
    {
        var duration = TimeSpan.FromSeconds(Math.Max(step.TotalSeconds, SpareSamples * objectives.SamplesNeeded / rate));
        var runs = new List<(StepFinding Finding, StepMeasurement Run)>();
        while (runs.Count < 3 && !runs.GroupBy(run => run.Finding.Verdict).Any(group => group.Count() == 2))
        {
            var run = await measure(rate, duration * length).ConfigureAwait(false);
            runs.Add((StepJudge.Judge(run, objectives, maxLag), run));
        }

        var verdict = runs.GroupBy(run => run.Finding.Verdict).FirstOrDefault(group => group.Count() == 2)?.Key ?? StepVerdict.Saturated;
        var typical = runs.Last(run => run.Finding.Verdict == verdict);
        var tried = new CapacityStep(rate, purpose, typical.Finding, [.. runs.Select(run => run.Finding)], typical.Run);
        _steps.Add(tried);
        report(tried);
        return tried;
    }
}
