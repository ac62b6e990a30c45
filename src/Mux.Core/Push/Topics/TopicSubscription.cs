using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;

namespace Mux.Push;

/// <summary>
/// The items of one topic from now on, as a method returns them. A call sends them by a <see cref="PushedReader{T}"/>; other code enumerates the values. Each
/// enumeration is a subscription of its own.
/// </summary>
internal sealed class TopicSubscription<TKey, T>(TopicShelf<TKey, T> shelf, TKey key, long? after = null) : IAsyncEnumerable<T>, IPushedItems<T>
    where TKey : notnull
{
    public IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        var reader = shelf.Join(key, topic => new LocalReader<T>(topic, left => shelf.OnLeft(key, left), cancellationToken) { Resumption = Resume() });
        reader.WatchToken();
        return reader;
    }

    public async Task<bool> SendAsync(MessageCodec<T> codec, OutboundStream stream, Action<int>? onSent, CancellationToken cancellationToken)
    {
        int number = shelf.Codecs.NumberOf(codec);
        var reader = shelf.Join(key, topic => new PushedReader<T>(topic, number, stream, shelf.Settings.FanOut, onSent) { Resumption = Resume() });
        stream.LimitItems(shelf.Settings.Window);
        var cancelling = cancellationToken.UnsafeRegister(static state => ((PushedReader<T>)state!).Cancel(), reader);
        if (stream.Pushed.TryAdd(reader)) shelf.Settings.FanOut.Add(reader);
        else reader.EndUnrun();
        try
        {
            await reader.Ended.ConfigureAwait(false);
            return false;
        }
        finally
        {
            stream.Pushed.Remove(reader);
            await cancelling.DisposeAsync().ConfigureAwait(false);
            shelf.OnLeft(key, reader.Topic);
        }
    }

    private TopicResumption? Resume() => after is { } last ? new TopicResumption(last) : null;
}
