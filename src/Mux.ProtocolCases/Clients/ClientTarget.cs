using Mux.Engine;
using Mux.Identity;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Clients;

/// <summary>A client that dials again and again, and makes the calls of the contract on each connection.</summary>
/// <param name="arrivals">Connections of the client.</param>
/// <param name="key">Shared key of the client; null if none is required.</param>
internal sealed class ClientTarget(ClientArrivals arrivals, SharedKey? key = null) : SpecTarget
{
    public override bool IsAccepting => false;

    public override bool MakesCalls => true;

    public override SharedKey? PeersKey => key;

    public override byte[] Greeting(bool ownStream) =>
        Raw.Hello(1, 1, [Raw.Setting(SettingKey.MaxCalls, (uint)ClientSubject.MaxCalls(ownStream)), .. key is null ? [] : (byte[][])[ClientLogin.Setting]]);

    /// <summary>Accepts one connection of the client, to learn its limits and methods.</summary>
    /// <exception cref="SpecFailure">The client does not do its part.</exception>
    public static async Task<ClientTarget> AskAsync(ClientArrivals arrivals, CancellationToken deadline, SharedKey? key = null)
    {
        var target = new ClientTarget(arrivals, key);
        await new SpecInterview(target).AskAsync(deadline).ConfigureAwait(false);
        return target;
    }

    public override async Task<SpecSubject> OpenAsync(ConnectionOptions options, CancellationToken deadline) =>
        new ClientSubject(await arrivals.NextAsync(deadline).ConfigureAwait(false));
}
