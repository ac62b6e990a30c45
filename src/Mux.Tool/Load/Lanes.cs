using Mux.Tool.Serving;
using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>The connections of a run, each with its own channel.</summary>
/// <remarks>
/// A channel with N connections gives a call to the connection with the fewest calls, so tokens wander: a call made in the turn of one connection may have to
/// be sent on another. Measured at 10 x 200 on two cores: 2.4 million calls per second and 142 calls per send with a channel each; 1.9 million and 97 with one
/// channel.
/// </remarks>
internal sealed class Lanes : IAsyncDisposable
{
    // A peer on the same machine or network that takes longer will not answer.
    private static readonly TimeSpan s_handshakeTimeout = TimeSpan.FromSeconds(5);

    // Half of the pending handshakes that a server allows one address.
    private const int DialedAtOnce = 32;

    private readonly MuxChannel[] _channels;

    private Lanes(MuxChannel[] channels) => _channels = channels;

    /// <summary>Opens all connections.</summary>
    /// <param name="target">The server.</param>
    /// <param name="connections">Number of connections.</param>
    /// <param name="links">Options of the connections.</param>
    /// <param name="deadline">Deadline of each call; null for none.</param>
    /// <param name="cancellationToken">Cancels the attempt.</param>
    /// <exception cref="ToolException">A connection cannot be opened.</exception>
    public static async Task<Lanes> OpenAsync(MuxAddress target, int connections, LinkOptions links, TimeSpan? deadline, CancellationToken cancellationToken)
    {
        var transport = Engine.MakeTransport(target, links);
        var channels = new MuxChannel[connections];
        for (int i = 0; i < connections; i++)
        {
            channels[i] = MuxChannel.Create(new MuxChannelOptions
            {
                Address = target.ToString(),
                PeerName = "mux bench",
                Transport = transport,
                Credentials = links.Credentials,
                AllowPlaintext = links.AllowPlaintext,
                RequireChallenge = links.RequireChallenge,
                HandshakeTimeout = s_handshakeTimeout,
                MaxMessageBytes = WorkloadTraits.MaxMessageBytes,
                CallTimeout = deadline ?? Timeout.InfiniteTimeSpan,
                DrainTimeout = TimeSpan.Zero, // open calls are lost at the end: the run has already waited for them
            });
        }

        var lanes = new Lanes(channels);
        try
        {
            foreach (var some in channels.Chunk(DialedAtOnce))
            {
                await Task.WhenAll(some.Select(channel => channel.ConnectAsync(cancellationToken))).ConfigureAwait(false);
            }

            return lanes;
        }
        catch (MuxException error)
        {
            await lanes.DisposeAsync().ConfigureAwait(false);
            throw new ToolException(ExitCode.Unreachable, error.Message, error);
        }
        catch
        {
            await lanes.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Creates a proxy on the first connection.</summary>
    public TService CreateProxy<TService>()
        where TService : class => _channels[0].CreateProxy<TService>();

    public MuxStatistics[] GetStatistics() => Array.ConvertAll(_channels, channel => channel.GetStatistics());

    public int Count => _channels.Length;

    /// <summary>Creates an object per connection.</summary>
    public IReadOnlyList<T> ForEach<T>(Func<MuxChannel, T> make) => Array.ConvertAll(_channels, channel => make(channel));


    public async ValueTask DisposeAsync()
    {
        await Task.WhenAll(_channels.Select(channel => channel.DisposeAsync().AsTask())).ConfigureAwait(false);
    }
}
