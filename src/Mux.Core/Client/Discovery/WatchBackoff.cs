using Mux.Runtime;

namespace Mux.Client;

/// <summary>
/// Decides how long a feed waits before it watches a failed source again: 1 s and a random part of what is left to 2, 4, 8, 16 and then 30 s, so that the
/// clients of a discovery system that comes back do not ask it all at once. Not safe for concurrent use.
/// </summary>
/// <param name="random">The random part.</param>
internal sealed class WatchBackoff(Random random)
{
    public static readonly TimeSpan MinPause = TimeSpan.FromSeconds(1);
    public static readonly TimeSpan MaxPause = TimeSpan.FromSeconds(30);

    private static readonly long s_longWatch = Clock.Microseconds(MaxPause);

    private int _failures; // in a row

    /// <param name="watched">Microseconds that the watch lasted. After the longest pause or more, earlier failures no longer count.</param>
    /// <returns>Time until the next watch, 1 to 30 s.</returns>
    public TimeSpan OnFailed(long watched)
    {
        if (watched >= s_longWatch) _failures = 0;
        var ceiling = _failures >= 4 ? MaxPause : MinPause * (2 << _failures); // 2 s after the first
        _failures = Math.Min(_failures + 1, 4);
        return MinPause + (ceiling - MinPause) * random.NextDouble();
    }
}
