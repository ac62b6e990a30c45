namespace Mux.Channels;

/// <summary>
/// When to dial again after a loss: at once at first, up to <see cref="FirstDelay"/>, so that many clients of one server do not come in the same instant; then
/// exponentially longer, at random between nothing and the current ceiling ("full jitter"). Not thread-safe: the pool's lock guards it.
/// </summary>
internal sealed class BackoffPolicy(TimeSpan maxDelay, Random random)
{
    /// <summary>A connection that lived this long makes the next loss a first one.</summary>
    public static readonly TimeSpan HealthyAfter = TimeSpan.FromSeconds(10);

    private static readonly TimeSpan FirstDelay = TimeSpan.FromMilliseconds(100);

    private const double Factor = 1.6;

    private int _failures;

    /// <summary>A connection ended, or did not come about.</summary>
    /// <param name="openFor">How long it was open; zero if never.</param>
    /// <returns>How long to wait before the next dial.</returns>
    public TimeSpan OnEnded(TimeSpan openFor)
    {
        _failures = openFor >= HealthyAfter ? 1 : _failures + 1;
        double ceiling = Math.Min(FirstDelay.TotalMilliseconds * Math.Pow(Factor, _failures - 1), maxDelay.TotalMilliseconds);
        return TimeSpan.FromMilliseconds(ceiling * random.NextDouble());
    }
}
