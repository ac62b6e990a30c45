using Mux.Tool.Measuring;
using Mux.Tool.Workloads;

namespace Mux.Tool.Serving;

/// <summary>Provides the information about a server of this process.</summary>
internal sealed class ServerStats(MuxServer server, HandlerWork? work) : IServerStats
{
    public ValueTask<ProcessEnvironment> DescribeAsync() => new(ProcessEnvironment.Read(server.Address));

    public ValueTask<HandlerProfile> GetHandlersAsync() => new(work?.Profile ?? HandlerProfile.Plain);

    public ValueTask<ServerReport> ReadAsync()
    {
        var statistics = server.GetStatistics();
        return new(new ServerReport(
            ProcessUsage.Read(statistics), statistics)
        { HandlerCalls = work?.Calls ?? 0, HandlerMicroseconds = work?.BusyMicroseconds ?? 0 });
    }
}
