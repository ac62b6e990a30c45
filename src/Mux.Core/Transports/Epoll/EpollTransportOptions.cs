using Mux.Transports.Sockets;

namespace Mux.Transports.Epoll;

/// <summary>Settings of an <see cref="EpollTransport"/>; copied when the transport is made, so later changes have no effect.</summary>
public sealed class EpollTransportOptions : SocketTransportOptions
{
    private const int MostLoops = 1024;
    private const int MostLoopsByDefault = 16;

    private static readonly TimeSpan s_longestPollTime = TimeSpan.FromMicroseconds(20);

    /// <summary>How many event loops, each with a thread, carry the connections. A connection stays on one loop.</summary>
    /// <value>Default: half of the processors, at least 1 and at most 16. 1 to 1,024.</value>
    public int LoopCount { get; set; } = Math.Clamp(Environment.ProcessorCount / 2, 1, MostLoopsByDefault);

    /// <summary>
    /// How long a loop with nothing to do goes on looking before it sleeps, one loop of the process at a time. Takes most of the time off a call that has the
    /// connection to itself. It stops by itself while it finds nothing or while others need the processor, and with a single processor.
    /// </summary>
    /// <value>Default: 20 microseconds. 0 (off) to 20 microseconds.</value>
    public TimeSpan PollTime { get; set; } = s_longestPollTime;

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
