using Microsoft.Extensions.Logging.Abstractions;
using Mux.Tool.Faults;
using Mux.Tool.Workloads;
using Mux.Transports;
using Mux.Transports.Sockets;

namespace Mux.Tool.Serving;

/// <summary>A server of the built-in workloads and of the figures of its process.</summary>
internal static class WorkloadServer
{
    /// <summary>Makes one and starts it.</summary>
    /// <exception cref="ToolException">It cannot listen.</exception>
    public static MuxServer Start(MuxAddress address, string? congestionControl, Fault fault)
    {
        var server = new MuxServer(new MuxServerOptions { Address = address.ToString(), PeerName = "mux serve", Transport = MakeTransport(congestionControl, fault) });
        server.AddService<IDirectory>(new DirectoryService());
        server.AddService<IEcho>(new EchoService());
        server.AddService<IEmpty>(new EmptyService());
        server.AddService<IServerStats>(new ServerStats(server));
        try
        {
            server.Start();
            return server;
        }
        catch (IOException error)
        {
            throw new ToolException(ExitCode.Usage, $"--listen: {error.Message}", error);
        }
    }

    /// <summary>The transport of both ends of a bench.</summary>
    public static ITransport MakeTransport(string? congestionControl, Fault fault = Fault.None)
    {
        if (Engine.Loaded is { } loaded) return fault == Fault.None && congestionControl is null ? loaded : throw new ToolException(ExitCode.Usage, "--congestion and --fault need the portable engine.");
        var sockets = new SocketTransport(new SocketTransportOptions { CongestionControl = congestionControl }, NullLogger.Instance, TimeProvider.System);
        return fault == Fault.None ? sockets : new FaultTransport(sockets, fault);
    }
}
