using Seeds.Contracts;

namespace Seeds.Serving;

/// <summary>Looks at the own process.</summary>
internal sealed class ServerStateService(MuxServer server) : IServerState
{
    public ValueTask<ServerState> ReadAsync() => new(Look(ProcessMemory.ReadManaged()));

    public ValueTask<ServerState> GlanceAsync() => new(Look(GC.GetTotalMemory(forceFullCollection: false)));

    public ValueTask<byte[]> FillAsync(int bytes) => new(new byte[bytes]);

    private ServerState Look(long managed)
    {
        var statistics = server.GetStatistics();
        return new ServerState { Managed = managed, Resident = Environment.WorkingSet, OpenConnections = statistics.OpenConnections, Unsent = statistics.BytesUnsent };
    }
}
