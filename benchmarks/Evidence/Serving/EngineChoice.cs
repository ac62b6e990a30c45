using System.Collections.Concurrent;
using Evidence.Programs;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Transports;
using Mux.Transports.Epoll;
using Mux.Transports.Sockets;

namespace Evidence.Serving;

/// <summary>The engines by their names in the tool.</summary>
internal static class EngineChoice
{
    public const string Portable = "portable";
    public const string Epoll = "epoll";

    /// <summary>Loops that sleep as soon as nothing is to do: processor time is then that of the work.</summary>
    public const string EpollWithoutPolling = "epoll-without-polling";

    private static readonly ConcurrentDictionary<string, ITransport> s_transports = new();

    /// <summary>Those of this machine, with their defaults.</summary>
    public static IReadOnlyList<string> All { get; } = EpollTransport.IsSupported ? [Epoll, Portable] : [Portable];

    /// <exception cref="EvidenceException">--engine names none of this machine.</exception>
    public static string Read(CommandLine options) => options.Choice("--engine", All[0], EpollTransport.IsSupported ? [.. All, EpollWithoutPolling] : All);

    /// <summary>The transport of everything in this process that is on an engine, so that there are no more event loops than a program has. Lives as long as the process.</summary>
    public static ITransport Transport(string engine) => s_transports.GetOrAdd(engine, Create);

    private static ITransport Create(string engine) => engine switch
    {
        Epoll => new EpollTransport(new EpollTransportOptions { CongestionControl = CongestionControl.Name }, NullLogger.Instance, TimeProvider.System),
        EpollWithoutPolling => new EpollTransport(
            new EpollTransportOptions { CongestionControl = CongestionControl.Name, PollTime = TimeSpan.Zero }, NullLogger.Instance, TimeProvider.System),
        _ => new SocketTransport(new SocketTransportOptions { CongestionControl = CongestionControl.Name }, NullLogger.Instance, TimeProvider.System),
    };
}
