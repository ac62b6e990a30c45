using Mux.ProtocolCases.Calling;
using Mux.ProtocolCases.Serving;
using Mux.Tool.Serving;
using Mux.Transports;

namespace Mux.Tool.Checking;

/// <summary><c>mux spec --client</c>: the client of Mux as a client for <c>mux spec --listen</c>.</summary>
internal static class ReadyClient
{
    /// <summary>Shorter than the defaults, so that cases about silence do not take 10 and 30 seconds.</summary>
    private static readonly TimeSpan s_handshake = TimeSpan.FromSeconds(3), s_stall = TimeSpan.FromSeconds(3);

    /// <returns>Number of rounds played.</returns>
    /// <exception cref="ToolException">The patience ended without a connection.</exception>
    /// <exception cref="OperationCanceledException">The user interrupted it.</exception>
    public static async Task<int> RunAsync(MuxAddress address, LinkOptions links, TimeSpan patience, CancellationToken interrupted)
    {
        var transport = EngineChoice.MakeTransport(address, links);
        try
        {
            var client = new SpecClient(transport, ofRound => MuxChannel.Create(OptionsOf(address, ofRound, links)), patience);
            await client.RunAsync(interrupted).ConfigureAwait(false);
            return client.Rounds;
        }
        catch (MuxException failure)
        {
            throw new ToolException(ExitCode.Unreachable, failure.Message, failure);
        }
        finally
        {
            (transport as IDisposable)?.Dispose();
        }
    }

    /// <summary>Creates the options for the channel of a round. It serves something, so that the cases about calls to a client concern it.</summary>
    public static MuxChannelOptions OptionsOf(MuxAddress address, ITransport transport, LinkOptions links)
    {
        var options = new MuxChannelOptions
        {
            Address = address.ToString(),
            Transport = transport,
            PeerName = "mux spec",
            Credentials = links.Credentials,
            AllowPlaintext = links.AllowPlaintext,
            RequireChallenge = links.RequireChallenge,
            HandshakeTimeout = s_handshake,
            StallTimeout = s_stall,
            DrainTimeout = TimeSpan.Zero, // nothing matters after the end of a round
        };
        options.AddService<ISpec>(new SpecService());
        return options;
    }
}
