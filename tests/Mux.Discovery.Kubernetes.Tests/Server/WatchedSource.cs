using System.Threading.Channels;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.Kubernetes.Tests.Server;

/// <summary>Reads a source as a channel does: always, and as fast as it can.</summary>
internal sealed class WatchedSource : IAsyncDisposable
{
    private readonly CancellationTokenSource _end = new();
    private readonly Channel<EndpointSet> _sets = Channel.CreateBounded<EndpointSet>(1024);
    private readonly Task _reading;

    public WatchedSource(IEndpointSource source, TimeProvider time) => _reading = Task.Run(() => ReadAsync(source, time));

    /// <summary>The next set.</summary>
    public async Task<EndpointSet> NextAsync()
    {
        var next = _sets.Reader.ReadAsync().AsTask();
        await Task.WhenAny(next, _reading).Within("a set of endpoints");
        if (!next.IsCompletedSuccessfully && _reading.IsFaulted) await _reading;
        return await next.Within("a set of endpoints");
    }

    /// <summary>The next set, as text: addresses, with a mark where one is leaving.</summary>
    public async Task<string> TextAsync() => Text(await NextAsync());

    /// <summary>What the source has thrown.</summary>
    public async Task<T> FailureAsync<T>()
        where T : Exception => await Assert.ThrowsAnyAsync<T>(() => _reading.Within("the source fails"));

    public static string Text(EndpointSet set) => string.Join(", ", set.Select(endpoint => $"{endpoint.Address}{(endpoint.IsLeaving ? " leaving" : "")}"));

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await _reading.ContinueWith(static _ => { }, TaskScheduler.Default).Within("the source ends");
    }

    private async Task ReadAsync(IEndpointSource source, TimeProvider time)
    {
        await foreach (var set in source.WatchAsync(new EndpointRefresh(time), _end.Token)) await _sets.Writer.WriteAsync(set, _end.Token);
    }
}
