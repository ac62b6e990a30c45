using Mux;

namespace Cluster;

/// <summary>One of the servers: it starts again at its address after each stop, as a deployment does with its next version.</summary>
public sealed class QuoteServer(int number) : IQuotes, IAsyncDisposable
{
    private MuxServer? _server;
    private string _address = "mux://127.0.0.1:0";

    public int Number => number;

    public string Address => _address;

    public bool IsRunning => _server is not null;

    public ValueTask<Quote> Find(string symbol) => new(new Quote(100 * symbol.Length, number));

    public void Start()
    {
        _server = new MuxServer(new MuxServerOptions { Address = _address }).AddService<IQuotes>(this);
        _server.Start();
        _address = _server.Address.ToString(); // the port that the system has given stays the same from now on
    }

    // Open calls finish; calls that were not sent yet go to the other servers.
    public async Task StopAsync()
    {
        await _server!.DisposeAsync();
        _server = null;
    }

    public ValueTask DisposeAsync() => _server?.DisposeAsync() ?? default;
}
