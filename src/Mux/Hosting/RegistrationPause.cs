namespace Mux.Hosting;

/// <summary>
/// Decides how long a server waits before it tries to register again: up to 2 s after the first failure, then up to twice as long each time, to 30 s. Half of
/// the time is random, so that servers that lost their registry together do not return together. Not safe for concurrent use.
/// </summary>
/// <param name="random">The source of randomness.</param>
internal sealed class RegistrationPause(Random random)
{
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(30);

    private TimeSpan _most = TimeSpan.FromSeconds(2);

    /// <summary>Returns the next pause, 1 to 30 s.</summary>
    public TimeSpan Next()
    {
        var pause = _most * (0.5 + 0.5 * random.NextDouble());
        _most = _most * 2 < s_longest ? _most * 2 : s_longest;
        return pause;
    }
}
