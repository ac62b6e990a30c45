namespace Mux.Discovery.Kubernetes.Api;

/// <summary>
/// Decides when to read on. A stream that never rests, by a fault or by intent, must not keep a core busy; changes that come together are read at once. Pure:
/// times come in. Not safe for concurrent use.
/// </summary>
internal sealed class ReadPace
{
    private const double LinesPerSecond = 1_000;

    /// <summary>Lines that are read without a pause when they come at once.</summary>
    private const double MostAtOnce = 2 * LinesPerSecond;

    /// <summary>Bytes that count as one line more: 4 MB a second.</summary>
    private const double BytesPerLine = 4_096;

    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(5);

    private double _read; // lines that the time since then has not yet paid for
    private TimeSpan _last;

    /// <summary>Counts a line.</summary>
    /// <param name="bytes">Its length.</param>
    /// <param name="now">The time since a fixed moment; never less than before.</param>
    /// <returns>Time until the next one may be read: zero, or 1 to 5 s.</returns>
    public TimeSpan OnRead(long bytes, TimeSpan now)
    {
        _read = Math.Max(0, _read - ((now - _last).TotalSeconds * LinesPerSecond)) + 1 + (bytes / BytesPerLine);
        _last = now;
        if (_read <= MostAtOnce) return TimeSpan.Zero;
        var pause = TimeSpan.FromSeconds((_read - LinesPerSecond) / LinesPerSecond);
        return pause < s_longest ? pause : s_longest;
    }
}
