using Evidence.Fleets;
using Evidence.Restarts;

namespace Evidence.Storms;

/// <summary>Servers that note what they execute in one log, and a channel of all of them that repeats calls.</summary>
internal sealed class Storm : IAsyncDisposable
{
    private readonly string _path = Path.GetTempFileName();
    private readonly ExecutionLog _log;

    /// <param name="servers">How many.</param>
    /// <param name="options">Further options of each server.</param>
    public Storm(int servers, params string[] options)
    {
        _log = new ExecutionLog(_path);
        Servers = [.. Enumerable.Range(0, servers).Select(number => new FleetServer(number, ["--log", _path, .. options]))];
        Channel = MuxChannel.Create(new MuxChannelOptions { Address = FleetServer.AddressOf(Servers), Resilience = { Attempts = FleetProgram.Attempts } });
        Fleet = Channel.CreateProxy<IFleet>();
    }

    public IReadOnlyList<FleetServer> Servers { get; }

    public MuxChannel Channel { get; }

    public IFleet Fleet { get; }

    /// <summary>Executions of all servers, of the calls with numbers up to one.</summary>
    public long Executed(int calls) => Enumerable.Range(1, calls).Sum(number => (long)_log.CountOf(number));

    public async ValueTask DisposeAsync()
    {
        await Channel.DisposeAsync();
        foreach (var server in Servers) server.Dispose();
        _log.Dispose();
        File.Delete(_path);
    }
}
