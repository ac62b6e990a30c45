using System.Runtime.CompilerServices;
using Mux;
using Mux.Discovery;

namespace Shop;

public sealed class FileEndpoints(string path) : IEndpointSource
{
    public string Name => $"file {path}";

    public async IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        while (true)
        {
            var lines = await File.ReadAllLinesAsync(path, cancellationToken); // an exception is a failure: the channel keeps the last set
            yield return new EndpointSet(lines.Select(static line => new MuxEndpoint(MuxAddress.Parse(line))));
            await refresh.WaitForPollAsync(Random.Shared, cancellationToken); // 12 to 18 s, less if a connection has failed
        }
    }
}
