using Mux.Contracts;

namespace Mux.Push;

/// <summary>The codecs of all methods that send items of some topics, numbered in the order in which they came. Safe for concurrent use.</summary>
/// <param name="shared">The codec of items between servers, whose number is 0; null if there is none.</param>
internal sealed class TopicCodecs<T>(MessageCodec<T>? shared)
{
    private readonly Lock _gate = new();
    private volatile MessageCodec<T>[] _all = shared is null ? [] : [shared]; // replaced by a longer one, never changed

    public MessageCodec<T>[] All => _all;

    /// <summary>Gets the number of a codec.</summary>
    public int NumberOf(MessageCodec<T> codec)
    {
        if (IsShared(codec)) return 0;
        int number = Array.IndexOf(_all, codec);
        if (number >= 0) return number;
        lock (_gate)
        {
            number = Array.IndexOf(_all, codec);
            if (number >= 0) return number;
            _all = [.. _all, codec];
            return _all.Length - 1;
        }
    }

    /// <summary>
    /// A contract has one class of codecs for each type of message and serializer, so another method of the contract writes the same bytes. Codecs of
    /// <see cref="MuxResult{T}"/> may differ in what they hold.
    /// </summary>
    private bool IsShared(MessageCodec<T> codec) => shared is not null && (codec == shared || (codec.GetType() == shared.GetType() && !codec.HoldsFailures));
}
