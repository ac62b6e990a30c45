namespace Mux.Engine;

/// <summary>
/// Decides after each window of <see cref="QueueTime"/> which share of the calls an overloaded server takes: as many as leave no queue that stands. Pure; times
/// in microseconds.
/// </summary>
/// <remarks>
/// <para>A queue time above the target takes a tenth off the share, and a fifth if it is ten times the target. While the queue gets shorter by a tenth in a
/// window, the share is right and stays: cutting on until the queue is gone would leave the threads without work after it. Below the target the share grows by
/// a twentieth, and by a fifth if the queue was empty.</para>
/// <para>In a simulation of four threads and calls of 2 ms with a deadline of 250 ms, 83 % of what the threads can do is done in time under three times the
/// load, and 78 % under ten times. With the rules for a tenth, a twentieth and a fifth alone it is 79 % and 63 %, and without any control 3 %.</para>
/// </remarks>
/// <param name="target">Queue time that is not worth refusing calls for.</param>
internal sealed class AdmissionLevel(long target)
{
    /// <summary>The least share: some calls are always taken, because only they show that the server has time again. It is whole again after 2.2 s.</summary>
    public const double LeastShare = 0.02;

    private const int Far = 10; // times the target

    private long _last;

    /// <summary>The share of the calls that are taken, 1 for all.</summary>
    public double Share { get; private set; } = 1;

    /// <summary>Takes the result of windows that have ended.</summary>
    /// <param name="least">The least queue time of the last one.</param>
    /// <param name="windows">Their number.</param>
    public void OnWindows(long least, int windows)
    {
        bool isFalling = least < _last - _last / 10;
        double factor = least == 0 ? 1.2 : least <= target ? 1.05 : isFalling ? 1 : least / Far > target ? 0.8 : 0.9;
        _last = least;
        Share = Math.Clamp(Share * Math.Pow(factor, Math.Min(windows, 100)), LeastShare, 1);
    }
}
