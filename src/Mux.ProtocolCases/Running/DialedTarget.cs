using Mux.Engine;
using Mux.Identity;
using Mux.Server;
using Mux.Transports;

namespace Mux.ProtocolCases.Running;

/// <summary>A server at an address, about which nothing is known in advance.</summary>
internal sealed class DialedTarget(ITransport transport, MuxAddress address, string echo, ICredentialProvider? credentials) : SpecTarget
{
    public override bool IsAccepting => true;

    public override string Echo => echo;

    public override ICredentialProvider? Credentials => credentials;

    /// <summary>Queries a server for its limits and methods.</summary>
    /// <param name="transport">Transport to dial with.</param>
    /// <param name="address">Address of the server.</param>
    /// <param name="echo">Name of its echo method.</param>
    /// <param name="credentials">Credentials of this side, if the server requires any; null to connect anonymously.</param>
    /// <param name="deadline">Ends the query.</param>
    /// <param name="requireChallenge">True to reject a server that does not ask for the credentials.</param>
    /// <exception cref="SpecFailure">The server cannot be reached, does not speak this protocol, or rejects this side.</exception>
    public static async Task<DialedTarget> AskAsync(
        ITransport transport, MuxAddress address, string echo, MuxCredentials? credentials, CancellationToken deadline, bool requireChallenge = true)
    {
        // the user of the tool decides whether plaintext is allowed
        var rules = new CredentialRules { Address = address, AllowPlaintext = true, RequireChallenge = requireChallenge };
        // no time limit of its own: every case has a deadline
        var provider = credentials is null ? null : new CredentialProvider(credentials, rules, Timeout.InfiniteTimeSpan, TimeProvider.System);
        var target = new DialedTarget(transport, address, echo, provider);
        await new SpecInterview(target).AskAsync(deadline).ConfigureAwait(false);
        return target;
    }

    public override async Task<SpecSubject> OpenAsync(ConnectionOptions options, CancellationToken deadline)
    {
        var wire = new SpecWire(transport.CreateLink(address));
        try
        {
            if (await wire.ConnectAsync(deadline).ConfigureAwait(false)) return new SpecSubject(wire);
        }
        catch (OperationCanceledException)
        {
            wire.Close();
            throw;
        }

        throw new SpecFailure(wire.ConnectError!.Message) { IsUnreachable = true };
    }
}
