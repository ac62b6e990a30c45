using Mux.Tool.Measuring;

namespace Mux.Tool.Serving;

/// <summary>Answers for a server of this process.</summary>
internal sealed class ServerStats(MuxServer server) : IServerStats
{
    public ValueTask<ProcessEnvironment> DescribeAsync() => new(ProcessEnvironment.Read(server.Address));

    public ValueTask<ServerReport> ReadAsync()
    {
        var statistics = server.GetStatistics();
        return new(new ServerReport(ProcessUsage.Read(statistics), statistics));
    }
}
