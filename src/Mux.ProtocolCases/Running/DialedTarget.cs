using Mux.Identity;
using Mux.Sessions.Setup;
using Mux.Transports;

namespace Mux.ProtocolCases.Running;

/// <summary>A server at an address, about which nothing is known before it is asked.</summary>
internal sealed class DialedTarget(ITransport transport, MuxAddress address, string echo, ICredentialProvider? credentials) : SpecTarget
{
    public override bool IsAccepting => true;

    public override string Echo => echo;

    public override ICredentialProvider? Credentials => credentials;

    /// <summary>Asks a server for its limits, and which of the methods it has.</summary>
    /// <param name="transport">Dials it.</param>
    /// <param name="address">Where it is.</param>
    /// <param name="echo">The name of its method that answers with what it is sent.</param>
    /// <param name="credentials">Who this side is, if the server asks; null for nobody in particular.</param>
    /// <param name="deadline">When to give up.</param>
    /// <param name="requireChallenge">Whether a server is refused that does not ask for the credentials.</param>
    /// <exception cref="SpecFailure">It cannot be reached, does not speak this protocol, or does not let this side in.</exception>
    public static async Task<DialedTarget> AskAsync(
        ITransport transport, MuxAddress address, string echo, MuxCredentials? credentials, CancellationToken deadline, bool requireChallenge = true)
    {
        // what may be read on the way, the user of this has decided
        var rules = new CredentialRules { Address = address, AllowPlaintext = true, RequireChallenge = requireChallenge };
        // every case has a deadline
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
