using Mux.Transports.Sockets;

namespace Mux.Transports.Epoll;

/// <summary>Options of an <see cref="EpollTransport"/>. Copied when the transport is created; later changes have no effect.</summary>
public sealed class EpollTransportOptions : SocketTransportOptions
{
    private const int MostLoops = 1024;
    private const int MostLoopsByDefault = 16;

    private static readonly TimeSpan s_longestPollTime = TimeSpan.FromMicroseconds(20);
    private static readonly int s_defaultLoopCount = Math.Clamp(Environment.ProcessorCount / 2, 1, MostLoopsByDefault);

    private int? _loopCount;
    private TimeSpan? _pollTime;

    /// <summary>Number of event loops that carry the connections. Each loop has one thread; a connection stays on one loop.</summary>
    /// <value>1 to 1,024. Half of the processors by default, at least 1 and at most 16.</value>
    public int LoopCount
    {
        get => _loopCount ?? s_defaultLoopCount;
        set => _loopCount = value;
    }

    /// <summary>
    /// Maximum time for which an idle loop polls before it sleeps. Polling removes most of the latency of a call that is alone on its connection. One loop of
    /// the process polls at a time. Polling pauses automatically while it finds nothing, while other threads need the processor, and with a single processor.
    /// </summary>
    /// <value>0 (off) to 20 microseconds; 20 microseconds by default.</value>
    public TimeSpan PollTime
    {
        get => _pollTime ?? s_longestPollTime;
        set => _pollTime = value;
    }

    /// <summary>True if these options ask for loops of their own: at least one option of loops was set, even to its default.</summary>
    internal bool WantsOwnLoops => _loopCount is not null || _pollTime is not null;

    internal override EpollTransportOptions Validated()
    {
        const string Here = nameof(EpollTransportOptions);
        if (LoopCount is < 1 or > MostLoops) throw new ArgumentException($"{Here}.{nameof(LoopCount)} is {LoopCount}: expected 1 to {MostLoops}.");
        if (PollTime < TimeSpan.Zero || PollTime > s_longestPollTime)
            throw new ArgumentException(
                $"{Here}.{nameof(PollTime)} is {PollTime.TotalMicroseconds} us: expected 0 to {s_longestPollTime.TotalMicroseconds} us.");
        return (EpollTransportOptions)base.Validated();
    }
}
