using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Mux.Discovery;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Routing;

/// <summary>A source that reports what the test says, when it says so.</summary>
internal sealed class ScriptedSource : IEndpointSource
{
    private readonly Channel<object> _script = Channel.CreateUnbounded<object>();

    public string Name => "test://desks";

    /// <summary>How often the channel has begun to watch.</summary>
    public Counter Watches { get; } = new("watches of the source");

    /// <summary>How many sets the channel has taken over: it has asked for the next one since.</summary>
    public Counter Taken { get; } = new("sets that were taken over");

    /// <summary>How the channel asks for another look; null before it watches.</summary>
    public EndpointRefresh? Refresh { get; private set; }

    public void Report(params IEnumerable<MuxServer> servers) => Report(servers.Select(server => new MuxEndpoint(server.Address)));

    public void Report(IEnumerable<MuxEndpoint> endpoints) => _script.Writer.TryWrite(new EndpointSet(endpoints));

    public void Fail(string message) => _script.Writer.TryWrite(new IOException(message));

    public async IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        Refresh = refresh;
        Watches.Add();
        await foreach (object next in _script.Reader.ReadAllAsync(cancellationToken))
        {
            yield return next as EndpointSet ?? throw (Exception)next;
            Taken.Add();
        }
    }
}
