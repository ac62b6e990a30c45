using System.Runtime.CompilerServices;
using Mux.Discovery;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Discovery;

/// <summary>A source whose watches the test has written, one after the other; the last is used for all that follow.</summary>
internal sealed class ScriptedSource(params Func<EndpointRefresh, CancellationToken, IAsyncEnumerable<EndpointSet>>[] watches) : IEndpointSource
{
    public string Name { get; init; } = "test://desk";

    public Counter Watches { get; } = new("watches of the source");

    public IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, CancellationToken cancellationToken)
    {
        var watch = watches[Math.Min(Watches.Count, watches.Length - 1)];
        Watches.Add();
        return watch(refresh, cancellationToken);
    }

    /// <summary>Reports sets and then nothing more until it is cancelled.</summary>
    public static async IAsyncEnumerable<EndpointSet> Report([EnumeratorCancellation] CancellationToken cancellationToken, params EndpointSet[] sets)
    {
        foreach (var set in sets) yield return set;
        await new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously).Task.WaitAsync(cancellationToken);
    }

    public static EndpointSet Set(string hosts) => new(hosts.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(host => new MuxEndpoint(MuxAddress.Parse($"mux://{host}"))));
}
