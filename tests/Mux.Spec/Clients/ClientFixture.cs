using Mux.ProtocolCases.Clients;
using Mux.TestSupport.Transports;

namespace Mux.Spec.Clients;

/// <summary>The client as long as the tests run. It is as patient as they are: on a loaded machine it waits long for the next test.</summary>
public sealed class ClientFixture : IAsyncDisposable
{
    private readonly RunningClient _client = new(handshake: Awaited.Patience, stall: Awaited.Patience);
    private ClientTarget? _target;

    internal ClientArrivals Arrivals => _client.Arrivals;

    /// <summary>The client, asked when the first test needs it; tests run one after another.</summary>
    internal async Task<ClientTarget> TargetAsync()
    {
        using var deadline = new CancellationTokenSource(Awaited.Patience);
        return _target ??= await ClientTarget.AskAsync(Arrivals, deadline.Token);
    }

    public ValueTask DisposeAsync() => _client.DisposeAsync();
}
