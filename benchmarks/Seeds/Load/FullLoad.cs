using Mux.Transports;
using Seeds.Contracts;

namespace Seeds.Load;

/// <summary>Nine connections that call without a pause, and a tenth that looks at the server.</summary>
internal sealed class FullLoad : IAsyncDisposable
{
    public const int Connections = 9;
    public const int InFlight = 50;

    private readonly Clients _clients;
    private readonly Clients _observer;

    private FullLoad(Clients clients, Clients observer)
    {
        _clients = clients;
        _observer = observer;
        State = observer.Proxies<IServerState>()[0];
        var directories = clients.Proxies<IDirectory>();
        Loop = new CallLoop<Employee>(Connections * InFlight, caller => directories[caller % Connections].SearchAsync(new SearchEmployee { Id = 1, RequestTime = caller + 1 }));
    }

    public IServerState State { get; }

    public CallLoop<Employee> Loop { get; }

    public static async Task<FullLoad> StartAsync(string address, ITransport transport) =>
        new(await Clients.ConnectAsync(address, Connections, transport), await Clients.ConnectAsync(address, 1, transport));

    public async ValueTask DisposeAsync()
    {
        await Loop.StopAsync();
        await _clients.DisposeAsync();
        await _observer.DisposeAsync();
    }
}
